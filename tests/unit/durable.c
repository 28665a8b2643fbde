/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Test the state of a run after a user's operations: the operations go through
 * the verifier to a backend whose results the tests set, and the state is taken
 * from the map.
 */
#include "unit.h"

#include "crash/state.h"
#include "play/verification.h"
#include "verify/verifier.h"

#include <errno.h>

/* The result of the next call of the backend; DEFAULT: it succeeds. */
enum { DEFAULT = 1 << 30 };
static int next_rc = DEFAULT;
static int64_t next_handle;
static bool next_stable;

static int64_t result(int64_t success)
{
	int64_t rc = next_rc == DEFAULT ? success : next_rc;

	next_rc = DEFAULT;
	return rc;
}

static int64_t on_open(struct backend_session *session, const struct backend_path *path,
		       uint64_t flags)
{
	return result(next_handle++);
}

static int64_t on_write(struct backend_session *session, int64_t handle, const void *data,
			size_t size, uint64_t offset)
{
	return result((int64_t)size);
}

static bool on_wrote_stable(const struct backend_session *session)
{
	return next_stable;
}

static int on_handle(struct backend_session *session, int64_t handle)
{
	return (int)result(0);
}

static int on_path(struct backend_session *session, const struct backend_path *path)
{
	return (int)result(0);
}

static int on_rename(struct backend_session *session, const struct backend_path *from,
		     const struct backend_path *to, bool replace)
{
	return (int)result(0);
}

static int on_chmod(struct backend_session *session, const struct backend_path *path,
		    unsigned permissions)
{
	return (int)result(0);
}

static int on_chown(struct backend_session *session, const struct backend_path *path,
		    uint32_t user_id, uint32_t group_id)
{
	return (int)result(0);
}

static int on_truncate(struct backend_session *session, int64_t handle, uint64_t bytes)
{
	return (int)result(0);
}

static const struct backend local = {
	.answers = true,
	.open = on_open,
	.close = on_handle,
	.write = on_write,
	.fsync = on_handle,
	.fdatasync = on_handle,
	.truncate = on_truncate,
	.unlink = on_path,
	.sync_parent = on_path,
	.rename = on_rename,
	.chmod = on_chmod,
	.chown = on_chown,
};

static const struct state_target local_target = {.url = "x", .directory = ""};
static const struct state_target server_target = {
	.url = "x",
	.directory = "",
	.durable_names = true,
};

struct scene {
	struct verify verify;
	const struct backend *backend; /* the verifier */
	int64_t handle;                /* an open file */
};

static void on_difference(void *context, const struct verify *verify, struct difference *difference)
{
}

static int64_t open_file(struct scene *scene, const char *name, uint64_t flags)
{
	struct backend_path path = {.text = name};

	return scene->backend->open(NULL, &path, OPEN_CREATE | OPEN_WRITE | flags);
}

static int set_up_on(void **state, const struct backend *backend)
{
	const struct verify_size size = {
		.users = 1,
		.footprint_bytes = 1 << 20,
		.io_bytes_max = 1 << 16,
	};
	struct scene *scene = calloc(1, sizeof(*scene));

	*state = scene;
	next_handle = 0;
	next_stable = false;
	if (verify_open(&scene->verify, &size) < 0)
		return -1;
	scene->backend = verifier_start(&scene->verify, 0, backend, on_difference, NULL);
	scene->handle = open_file(scene, "clients/client0/f", 0);
	return scene->handle == 0 ? 0 : -1;
}

static int set_up(void **state)
{
	return set_up_on(state, &local);
}

static int set_up_server(void **state)
{
	static struct backend server;

	server = local;
	server.wrote_stable = on_wrote_stable;
	return set_up_on(state, &server);
}

static int tear_down(void **state)
{
	struct scene *scene = *state;

	verify_close(&scene->verify);
	free(scene);
	return 0;
}

static void put(struct scene *scene, uint64_t from, uint64_t to)
{
	scene->backend->write(NULL, scene->handle, NULL, to - from, from);
}

static void expect_state(struct scene *scene, const struct state_target *target, const char *wanted)
{
	char *text = NULL, *body;
	struct state state;
	size_t bytes;
	FILE *stream = open_memstream(&text, &bytes);

	assert_int_equal(state_take(&scene->verify, target, 1, &state), 0);
	assert_int_equal(state_write(&state, stream), 0);
	fclose(stream);
	body = strstr(text, "user 0\n");
	if (body == NULL)
		body = strstr(text, "end ");
	*strstr(body, "end ") = '\0';
	assert_string_equal(body, wanted);
	state_free(&state);
	free(text);
}

static void a_flush_makes_data_and_names_durable(void **state)
{
	struct scene *scene = *state;

	put(scene, 0, 100);
	assert_int_equal(scene->backend->fsync(NULL, scene->handle), 0);
	expect_state(scene, &local_target,
		     "user 0\nfile 100 exact\n"
		     "name must \"clients/client0/f\"\n"
		     "must 0 100 data 2\n");
}

static void flushing_only_the_data_does_not_keep_the_name(void **state)
{
	struct backend_path path = {.text = "clients/client0/f"};
	struct scene *scene = *state;

	put(scene, 0, 100);
	assert_int_equal(scene->backend->fdatasync(NULL, scene->handle), 0);
	expect_state(scene, &local_target,
		     "user 0\nfile 100 uncertain\n"
		     "name may \"clients/client0/f\"\n"
		     "may 0 100 data 2 before unknown\n");
	next_rc = -EIO;
	assert_int_equal(scene->backend->sync_parent(NULL, &path), -EIO);
	expect_state(scene, &local_target,
		     "user 0\nfile 100 uncertain\n"
		     "name may \"clients/client0/f\"\n"
		     "may 0 100 data 2 before unknown\n");
	assert_int_equal(scene->backend->sync_parent(NULL, &path), 0);
	expect_state(scene, &local_target,
		     "user 0\nfile 100 exact\n"
		     "name must \"clients/client0/f\"\n"
		     "must 0 100 data 2\n");
}

/* NFS: an UNSTABLE write, one that the server committed itself, and a close
 * whose COMMIT fails. */
static void a_server_says_if_a_write_was_stable(void **state)
{
	struct scene *scene = *state;

	put(scene, 0, 65536);
	next_stable = true;
	put(scene, 65536, 131072);
	next_stable = false;
	put(scene, 131072, 196608);
	expect_state(scene, &server_target,
		     "user 0\nfile 196608 uncertain\n"
		     "name must \"clients/client0/f\"\n"
		     "may 0 65536 data 2 before zeros\n"
		     "must 65536 131072 data 2\n"
		     "may 131072 196608 data 2 before zeros\n");
	next_rc = -EIO;
	assert_int_equal(scene->backend->close(NULL, scene->handle), -EIO);
	expect_state(scene, &server_target,
		     "user 0\nfile 196608 uncertain\n"
		     "name must \"clients/client0/f\"\n"
		     "unknown 0 65536\n"
		     "must 65536 131072 data 2\n"
		     "unknown 131072 196608\n");
}

static void a_flush_that_failed_is_not_made_good_by_another(void **state)
{
	struct scene *scene = *state;

	put(scene, 0, 100);
	next_rc = -EIO;
	assert_int_equal(scene->backend->fsync(NULL, scene->handle), -EIO);
	assert_int_equal(scene->backend->fsync(NULL, scene->handle), 0);
	put(scene, 100, 200);
	assert_int_equal(scene->backend->fsync(NULL, scene->handle), 0);
	expect_state(scene, &local_target,
		     "user 0\nfile 200 exact\n"
		     "name must \"clients/client0/f\"\n"
		     "unknown 0 100\n"
		     "must 100 200 data 4\n");
}

static void a_failed_write_leaves_the_rest_of_the_file_known(void **state)
{
	struct scene *scene = *state;

	put(scene, 0, 100);
	assert_int_equal(scene->backend->fsync(NULL, scene->handle), 0);
	next_rc = -ETIMEDOUT;
	put(scene, 90, 150);
	expect_state(scene, &local_target,
		     "user 0\nfile 150 uncertain\n"
		     "name must \"clients/client0/f\"\n"
		     "must 0 90 data 2\n"
		     "unknown 90 150\n");
	/* The target has refused this one. */
	next_rc = -EACCES;
	put(scene, 0, 50);
	/* This one has ended early. */
	next_rc = 10;
	put(scene, 20, 40);
	expect_state(scene, &local_target,
		     "user 0\nfile 150 uncertain\n"
		     "name must \"clients/client0/f\"\n"
		     "must 0 20 data 2\n"
		     "may 20 30 data 6 before data 2\n"
		     "unknown 30 40\n"
		     "must 40 90 data 2\n"
		     "unknown 90 150\n");
}

/* After a write at the end has failed, nobody knows where an append goes. */
static void an_append_after_a_failed_one_is_unknown(void **state)
{
	struct scene *scene = *state;

	scene->handle = open_file(scene, "clients/client0/f", OPEN_APPEND);
	next_rc = -ETIMEDOUT;
	put(scene, 0, 100);
	put(scene, 0, 100);
	expect_state(scene, &local_target,
		     "user 0\nfile 0 uncertain\n"
		     "name may \"clients/client0/f\"\n");
}

static void a_rename_that_failed_leaves_all_names_in_doubt(void **state)
{
	struct backend_path from = {.text = "clients/client0/d"};
	struct backend_path to = {.text = "clients/client0/e"};
	struct scene *scene = *state;

	open_file(scene, "clients/client0/d/g", 0);
	next_rc = -ENOTCONN;
	assert_int_equal(scene->backend->rename(NULL, &from, &to, true), -ENOTCONN);
	expect_state(scene, &server_target,
		     "user 0\nfile 0 uncertain\n"
		     "name may \"clients/client0/d/g\"\n"
		     "file 0 exact\n"
		     "name must \"clients/client0/f\"\n");
	next_rc = -ENOENT;
	from.text = "clients/client0/f";
	assert_int_equal(scene->backend->rename(NULL, &from, &to, true), -ENOENT);
	expect_state(scene, &server_target,
		     "user 0\nfile 0 uncertain\n"
		     "name may \"clients/client0/d/g\"\n"
		     "file 0 exact\n"
		     "name must \"clients/client0/f\"\n");
}

/* The target closes the file if the user dies. A close that failed may have
 * removed it. */
static void a_close_that_deletes_leaves_no_name_certain(void **state)
{
	struct scene *scene = *state;

	put(scene, 0, 100);
	scene->handle = open_file(scene, "clients/client0/f", OPEN_DELETE_ON_CLOSE);
	expect_state(scene, &server_target,
		     "user 0\nfile 100 uncertain\n"
		     "name may \"clients/client0/f\"\n"
		     "may 0 100 data 2 before unknown\n");
	assert_int_equal(scene->backend->close(NULL, scene->handle), 0);
	expect_state(scene, &server_target, "");
	scene->handle = open_file(scene, "clients/client0/f", 0);
	put(scene, 0, 10);
	expect_state(scene, &server_target,
		     "user 0\nfile 10 uncertain\n"
		     "name must \"clients/client0/f\"\n"
		     "may 0 10 data 4 before zeros\n");
	scene->handle = open_file(scene, "clients/client0/f", OPEN_DELETE_ON_CLOSE);
	next_rc = -EACCES;
	assert_int_equal(scene->backend->close(NULL, scene->handle), -EACCES);
	expect_state(scene, &server_target,
		     "user 0\nfile 0 uncertain\n"
		     "name may \"clients/client0/f\"\n");
}

/* Take the state while an operation is in flight, as if the user had died. */
static struct scene *dying;
static const char *last_words;

static int dies_in_unlink(struct backend_session *session, const struct backend_path *path)
{
	expect_state(dying, &server_target, last_words);
	return 0;
}

static int64_t dies_in_write(struct backend_session *session, int64_t handle, const void *data,
			     size_t size, uint64_t offset)
{
	expect_state(dying, &server_target, last_words);
	return (int64_t)size;
}

static int set_up_dying(void **state)
{
	static struct backend deadly;

	deadly = local;
	deadly.unlink = dies_in_unlink;
	deadly.write = dies_in_write;
	return set_up_on(state, &deadly);
}

static void operations_in_flight_are_in_doubt(void **state)
{
	struct backend_path path = {.text = "clients/client0/f"};
	struct scene *scene = *state;

	dying = scene;
	last_words = "user 0\nfile 0 uncertain\n"
		     "name must \"clients/client0/f\"\n";
	put(scene, 0, 100);
	last_words = "user 0\nfile 100 uncertain\n"
		     "name must \"clients/client0/f\"\n"
		     "may 0 50 data 2 before zeros\n"
		     "unknown 50 60\n"
		     "may 60 100 data 2 before zeros\n";
	put(scene, 50, 60);
	last_words = "user 0\nfile 0 uncertain\n"
		     "name may \"clients/client0/f\"\n";
	assert_int_equal(scene->backend->unlink(NULL, &path), 0);
	expect_state(scene, &server_target, "");
}

/* Another lane of the user plays while the target writes or flushes. */
static char other_lane;
#define OTHER ((struct backend_session *)&other_lane)
static void (*meanwhile)(void);

static void play_other(void)
{
	void (*play)(void) = meanwhile;

	meanwhile = NULL;
	if (play != NULL)
		play();
}

static int64_t overlapped_write(struct backend_session *session, int64_t handle, const void *data,
				size_t size, uint64_t offset)
{
	play_other();
	return (int64_t)size;
}

static int overlapped_flush(struct backend_session *session, int64_t handle)
{
	play_other();
	return (int)result(0);
}

static int set_up_lanes(void **state)
{
	static struct backend overlapped;

	overlapped = local;
	overlapped.write = overlapped_write;
	overlapped.fsync = overlapped_flush;
	meanwhile = NULL;
	if (set_up_on(state, &overlapped) < 0)
		return -1;
	dying = *state;
	return verifier_share(OTHER, NULL);
}

static void flush_meanwhile(void)
{
	assert_int_equal(dying->backend->fsync(OTHER, dying->handle), 0);
}

static void write_meanwhile(void)
{
	dying->backend->write(OTHER, dying->handle, NULL, 50, 100);
}

static void a_flush_covers_no_write_in_flight(void **state)
{
	struct scene *scene = *state;

	put(scene, 0, 50);
	meanwhile = flush_meanwhile;
	put(scene, 50, 100);
	meanwhile = write_meanwhile;
	assert_int_equal(scene->backend->fsync(NULL, scene->handle), 0);
	/* Only the last flush covers the write of 50 to 100. */
	expect_state(scene, &local_target,
		     "user 0\nfile 150 uncertain\n"
		     "name must \"clients/client0/f\"\n"
		     "must 0 100 data 2\n"
		     "may 100 150 data 3 before zeros\n");
}

static void a_flush_covers_no_write_that_it_meets(void **state)
{
	struct scene *scene = *state;

	assert_int_equal(scene->backend->fsync(NULL, scene->handle), 0);
	meanwhile = flush_meanwhile;
	put(scene, 0, 100);
	expect_state(scene, &local_target,
		     "user 0\nfile 100 uncertain\n"
		     "name must \"clients/client0/f\"\n"
		     "may 0 100 data 2 before zeros\n");
}

static void flush_before_a_failure(void)
{
	flush_meanwhile();
	next_rc = -EIO;
}

static void a_flush_beside_a_failed_one_proves_nothing(void **state)
{
	struct backend_path from = {.text = "clients/client0/f"};
	struct backend_path to = {.text = "clients/client0/g"};
	struct scene *scene = *state;

	put(scene, 0, 50);
	flush_meanwhile();
	put(scene, 50, 100);
	meanwhile = flush_before_a_failure;
	assert_int_equal(scene->backend->fsync(NULL, scene->handle), -EIO);
	expect_state(scene, &local_target,
		     "user 0\nfile 100 uncertain\n"
		     "name must \"clients/client0/f\"\n"
		     "must 0 50 data 2\n"
		     "unknown 50 100\n");
	assert_int_equal(scene->backend->rename(NULL, &from, &to, true), 0);
	meanwhile = flush_before_a_failure;
	assert_int_equal(scene->backend->fsync(NULL, scene->handle), -EIO);
	expect_state(scene, &local_target,
		     "user 0\nfile 100 uncertain\n"
		     "name may \"clients/client0/g\"\n"
		     "may 0 50 data 2 before unknown\n"
		     "unknown 50 100\n");
}

static void die(void)
{
	expect_state(dying, &server_target, last_words);
}

static void die_in_write(void)
{
	meanwhile = die;
	dying->backend->write(OTHER, dying->handle, NULL, 20, 10);
}

static void all_operations_in_flight_are_in_doubt(void **state)
{
	struct scene *scene = *state;

	put(scene, 0, 100);
	last_words = "user 0\nfile 100 uncertain\n"
		     "name must \"clients/client0/f\"\n"
		     "may 0 10 data 2 before zeros\n"
		     "unknown 10 30\n"
		     "may 30 60 data 2 before zeros\n"
		     "unknown 60 70\n"
		     "may 70 100 data 2 before zeros\n";
	meanwhile = die_in_write;
	put(scene, 60, 70);
	assert_null(meanwhile);
}

static void overwrite_and_rename(void)
{
	struct backend_path from = {.text = "clients/client0/f"};
	struct backend_path to = {.text = "clients/client0/g"};

	dying->backend->write(OTHER, dying->handle, NULL, 100, 0);
	assert_int_equal(dying->backend->rename(OTHER, &from, &to, true), 0);
}

/* Bytes of two durable writes at a time are unknown, and so is what was there before
 * a later write. They don't prove that a name is durable. */
static void durable_writes_at_a_time_prove_nothing(void **state)
{
	struct scene *scene = *state;

	scene->handle = open_file(scene, "clients/client0/f", OPEN_SYNC);
	meanwhile = overwrite_and_rename;
	put(scene, 0, 100);
	expect_state(scene, &local_target,
		     "user 0\nfile 100 uncertain\n"
		     "name may \"clients/client0/g\"\n"
		     "unknown 0 100\n");
	scene->handle = open_file(scene, "clients/client0/g", 0);
	put(scene, 0, 100);
	expect_state(scene, &server_target,
		     "user 0\nfile 100 uncertain\n"
		     "name must \"clients/client0/g\"\n"
		     "may 0 100 data 7 before unknown\n");
}

/* Expect that the state says, or does not say, that the load may have taken away
 * the right to read the file. */
static void expect_barred(struct scene *scene, bool barred)
{
	char wanted[128];

	snprintf(wanted, sizeof(wanted),
		 "user 0\nfile 0 uncertain\n%sname may \"clients/client0/f\"\n",
		 barred ? "barred\n" : "");
	expect_state(scene, &local_target, wanted);
}

static void change_mode(struct scene *scene, const char *name, unsigned mode)
{
	struct backend_path path = {.text = name};

	scene->backend->chmod(NULL, &path, mode);
}

static void a_load_may_take_away_the_right_to_read(void **state)
{
	static const char name[] = "clients/client0/f";
	struct backend_path path = {.text = name};
	struct scene *scene = *state;

	expect_barred(scene, false);
	change_mode(scene, name, 0377);
	expect_barred(scene, true);
	next_rc = -EPERM;
	change_mode(scene, name, 0400);
	expect_barred(scene, true);
	next_rc = -ETIMEDOUT;
	change_mode(scene, name, 0400);
	expect_barred(scene, true);
	change_mode(scene, name, 0400);
	expect_barred(scene, false);
	next_rc = -EPERM;
	change_mode(scene, name, 0);
	expect_barred(scene, false);
	next_rc = -ETIMEDOUT;
	change_mode(scene, name, 0);
	expect_barred(scene, true);

	change_mode(scene, name, 0600);
	scene->backend->chown(NULL, &path, UINT32_MAX, 7);
	expect_barred(scene, false);
	scene->backend->chown(NULL, &path, 7, UINT32_MAX);
	expect_barred(scene, true);

	/* The files below a directory that cannot be searched. */
	change_mode(scene, name, 0600);
	change_mode(scene, "clients/client0/other", 0);
	change_mode(scene, "clients/client0", 0300);
	expect_barred(scene, false);
	change_mode(scene, "clients/client0", 0600);
	expect_barred(scene, true);
}

/* Some file systems cannot flush a directory, which is no reason not to play. */
static void a_directory_that_cannot_be_flushed_is_used(void **state)
{
	struct workers_target on = {.gone = 0};
	struct replay replay = {.backend = &local};

	next_rc = -EINVAL;
	assert_int_equal(verification_keep_home(&replay, &on, "clients/client0"), 0);
	next_rc = -EIO;
	assert_int_equal(verification_keep_home(&replay, &on, "clients/client0"), -EIO);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
#define TEST_LANES(name) cmocka_unit_test_setup_teardown(name, set_up_lanes, tear_down)

int unit_durable(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(a_flush_makes_data_and_names_durable),
		cmocka_unit_test(a_directory_that_cannot_be_flushed_is_used),
		TEST(a_load_may_take_away_the_right_to_read),
		TEST(flushing_only_the_data_does_not_keep_the_name),
		cmocka_unit_test_setup_teardown(a_server_says_if_a_write_was_stable, set_up_server,
						tear_down),
		TEST(a_flush_that_failed_is_not_made_good_by_another),
		TEST(a_failed_write_leaves_the_rest_of_the_file_known),
		TEST(an_append_after_a_failed_one_is_unknown),
		TEST(a_rename_that_failed_leaves_all_names_in_doubt),
		TEST(a_close_that_deletes_leaves_no_name_certain),
		cmocka_unit_test_setup_teardown(operations_in_flight_are_in_doubt, set_up_dying,
						tear_down),
		TEST_LANES(a_flush_covers_no_write_in_flight),
		TEST_LANES(a_flush_covers_no_write_that_it_meets),
		TEST_LANES(a_flush_beside_a_failed_one_proves_nothing),
		TEST_LANES(all_operations_in_flight_are_in_doubt),
		TEST_LANES(durable_writes_at_a_time_prove_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
