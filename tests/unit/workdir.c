/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Test what happens if other processes change a work directory during a claim
 * or a clean-up. A test makes such a change from within a slot of the backend,
 * just before the slot's real call.
 */
#include "unit.h"

#include "target/backends.h"
#include "target/target.h"
#include "workdir/marker.h"
#include "workdir/workdir.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>

extern const struct backend backend_posix;

/* The target, which is the current directory, and a load's names. */
static struct target target;
static struct backend backend; /* backend_posix, unless a test changes a slot */
static struct tree *tree;
static struct outside names;
static struct error error;
static uint64_t steps;

/* A run, and its claim to the work directory. */
struct player {
	struct identity run;
	struct workdir_claim claim;
	bool absent[4];
};

static void begin(struct player *player)
{
	*player = (struct player){.claim.lock_fd = -1};
	assert_int_equal(identity_make(&player->run), 0);
}

static struct workdir_request request_of(struct player *player)
{
	assert_true(names.shared_count < LENGTH(player->absent));
	return (struct workdir_request){
		.names = &names,
		.run = &player->run,
		.users = 2,
		.absent = player->absent,
	};
}

static int claim(struct player *player)
{
	struct workdir_request request = request_of(player);

	error = (struct error){0};
	return workdir_claim(tree, &request, &player->claim, &error);
}

static int clean(struct player *player)
{
	struct workdir_request request = request_of(player);

	error = (struct error){0};
	return workdir_remove(tree, &request, player->claim.made, &error);
}

static void end(struct player *player)
{
	if (player->claim.lock_fd >= 0)
		close(player->claim.lock_fd);
	player->claim.lock_fd = -1;
}

static void put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

static bool is_there(const char *path)
{
	return access(path, F_OK) == 0;
}

static void get(const char *path, char text[4096])
{
	int fd = open(path, O_RDONLY);
	ssize_t got = read(fd, text, 4095);

	assert_true(got >= 0);
	text[got] = '\0';
	close(fd);
}

/* Add a line to a marker. */
static void add_line(const char *path, const char *line)
{
	char text[4096], whole[4200];

	get(path, text);
	text[strlen(text) - strlen("end\n")] = '\0';
	snprintf(whole, sizeof(whole), "%s%s\nend\n", text, line);
	put(path, whole);
}

static int set_up(void **state)
{
	static char directory[PATH_MAX];
	const char *parent = getenv("TMPDIR");
	struct backend_session *session;
	struct program *program;

	snprintf(directory, sizeof(directory), "%s/throng-workdir-XXXXXX",
		 parent != NULL ? parent : "/tmp");
	assert_non_null(mkdtemp(directory));
	assert_int_equal(chdir(directory), 0);
	assert_int_equal(target_parse(directory, &target, &error), 0);
	backend = backend_posix;
	assert_int_equal(backend.session_open(&target, 0, &session), 0);
	tree = tree_new(&backend, session, &steps);
	assert_non_null(tree);
	program = load_text("Mkdir \"\\data\" *\n");
	assert_int_equal(outside_add(&names, program), 0);
	program_free(program);
	*state = directory;
	return 0;
}

static int tear_down(void **state)
{
	backend_posix.session_close(tree->session);
	free(tree);
	outside_free(&names);
	target_free(&target);
	assert_int_equal(chdir("/"), 0);
	/* This fails unless the test has left the directory empty. */
	return rmdir(*state);
}

/* Clean-up removes only the files that the run made, even if someone has added
 * other names to the run's marker. */
static void marker_changed(void **state)
{
	struct player player;

	put("precious", "");
	assert_int_equal(mkdir("clients", 0700), 0);
	begin(&player);
	assert_int_equal(claim(&player), 0);
	assert_int_equal(mkdir("data", 0700), 0);
	assert_int_equal(mkdir("clients/client1", 0700), 0);
	assert_int_equal(mkdir("clients/named", 0700), 0);
	add_line(MARKER_PATH, "shared precious");
	add_line(MARKER_PATH, "name named");
	add_line(MARKER_PATH, "users 100");
	add_line(MARKER_PATH, "clients made");
	assert_int_equal(clean(&player), 0);
	end(&player);
	assert_false(is_there("data"));
	assert_false(is_there("clients/client1"));
	assert_false(is_there(MARKER_PATH));
	assert_int_equal(rmdir("clients/named"), 0);
	assert_int_equal(rmdir("clients"), 0);
	assert_int_equal(unlink("precious"), 0);
}

/* Make the leftovers of a dead run. */
static void leave_dead_run(void)
{
	struct player player;

	begin(&player);
	/* No process has this PID, and end() releases the marker's lock. */
	player.run.process = 1 << 22;
	player.run.started = 1;
	assert_int_equal(claim(&player), 0);
	end(&player);
	assert_int_equal(mkdir("data", 0700), 0);
	assert_int_equal(mkdir("clients/client0", 0700), 0);
}

/*
 * Open a marker that another account has forged. The marker's name refers to
 * the forged file only during this call, and to our own marker before and after
 * it.
 */
static int64_t open_swapped(struct backend_session *session, const struct backend_path *path,
			    uint64_t flags)
{
	bool swap = strcmp(path->text, MARKER_PATH) == 0 && (flags & OPEN_CREATE) == 0;
	int64_t handle;

	if (swap)
		assert_int_equal(
			renameat2(AT_FDCWD, "forged", AT_FDCWD, MARKER_PATH, RENAME_EXCHANGE), 0);
	handle = backend_posix.open(session, path, flags);
	if (swap)
		assert_int_equal(
			renameat2(AT_FDCWD, "forged", AT_FDCWD, MARKER_PATH, RENAME_EXCHANGE), 0);
	return handle;
}

static void marker_swapped(void **state)
{
	struct player player;
	char text[4096];

	if (geteuid() != 0)
		skip();
	leave_dead_run();
	put("precious", "");
	get(MARKER_PATH, text);
	put("forged", text);
	add_line("forged", "shared precious");
	assert_int_equal(chown("forged", 65534, (gid_t)-1), 0);
	backend.open = open_swapped;
	begin(&player);
	assert_int_equal(claim(&player), -EPERM);
	assert_non_null(strstr(error.text, "belongs to another account"));
	assert_true(is_there("precious"));
	assert_true(is_there("clients/client0"));

	backend.open = backend_posix.open;
	assert_int_equal(unlink("precious"), 0);
	assert_int_equal(unlink("forged"), 0);
	begin(&player);
	assert_int_equal(claim(&player), 0);
	assert_int_equal(clean(&player), 0);
	end(&player);
}

/* Nothing is removed if there is a foreign file beside a dead run's files. */
static void foreign_refused(void **state)
{
	struct player player;

	leave_dead_run();
	put("clients/file", "");
	begin(&player);
	assert_int_equal(claim(&player), -EEXIST);
	assert_non_null(strstr(error.text, "throng did not make"));
	assert_true(is_there("data"));
	assert_true(is_there("clients/client0"));
	assert_true(is_there(MARKER_PATH));

	assert_int_equal(unlink("clients/file"), 0);
	begin(&player);
	assert_int_equal(claim(&player), 0);
	assert_false(is_there("data"));
	assert_false(is_there("clients/client0"));
	assert_int_equal(clean(&player), 0);
	end(&player);
}

/* A live run that intrudes while we take over from a dead run. It removes our
 * marker and, if `intrusion` is REPLACED, puts its own marker there. */
static struct player rival;
static enum { NEVER, REMOVED, REPLACED } intrusion;

static void intrude(const char *path)
{
	const struct marker_content content = {
		.run = &rival.run,
		.users = 2,
		.made = true,
		.names = &names,
		.absent = rival.absent,
	};
	bool replaces = intrusion == REPLACED;

	if (intrusion == NEVER || strncmp(path, MARKER_PATH "-", strlen(MARKER_PATH "-")) != 0)
		return;
	intrusion = NEVER;
	assert_int_equal(unlink(path), 0);
	begin(&rival);
	if (replaces)
		assert_int_equal(marker_write(tree, path, &content, &rival.claim.lock_fd), 0);
}

static int hold_late(struct backend_session *session, const struct backend_path *path)
{
	intrude(path->text);
	return backend_posix.hold(session, path);
}

static int rename_late(struct backend_session *session, const struct backend_path *from,
		       const struct backend_path *to, bool replace)
{
	intrude(from->text);
	return backend_posix.rename(session, from, to, replace);
}

static void expect_marker_of(const char *path, const struct player *player)
{
	char text[4096];

	get(path, text);
	assert_non_null(strstr(text, player->run.id));
}

/* Find the path at which the next run will make its marker, to take over from
 * the run that the main marker names (marker.h). */
static void find_taker(char path[MARKER_PATH_SIZE])
{
	struct marker marker;

	assert_int_equal(marker_read(tree, MARKER_PATH, &marker), 0);
	snprintf(path, MARKER_PATH_SIZE, "%s-%s", MARKER_PATH, marker.run.id);
	free(marker.text);
}

/*
 * A run that takes over from a dead run is stopped between creating its marker
 * and locking it. Meanwhile, another run discards that marker and takes over
 * instead.
 */
static void marker_replaced_before_lock(void **state)
{
	struct player player;
	char path[MARKER_PATH_SIZE];

	leave_dead_run();
	find_taker(path);
	backend.hold = hold_late;
	intrusion = REPLACED;
	begin(&player);
	assert_int_equal(claim(&player), -EBUSY);
	assert_non_null(strstr(error.text, "alive"));
	assert_int_equal(player.claim.lock_fd, -1);
	expect_marker_of(path, &rival);
	assert_true(is_there("data"));
	assert_true(is_there("clients/client0"));

	end(&rival);
	assert_int_equal(unlink(path), 0);
	begin(&player);
	assert_int_equal(claim(&player), 0);
	assert_int_equal(clean(&player), 0);
	end(&player);
}

/* If another run removes a run's new marker before the marker is locked, the
 * run that wrote it starts over. Here, its second try succeeds. */
static void marker_gone_before_lock(void **state)
{
	struct player player;

	leave_dead_run();
	backend.hold = hold_late;
	intrusion = REMOVED;
	begin(&player);
	assert_int_equal(claim(&player), 0);
	expect_marker_of(MARKER_PATH, &player);
	assert_int_equal(clean(&player), 0);
	end(&player);
}

/* Another run has put its marker at our marker's path, so the rename makes that
 * run's marker the main one, and we must give up. */
static void marker_replaced_before_rename(void **state)
{
	struct player player;

	leave_dead_run();
	backend.rename = rename_late;
	intrusion = REPLACED;
	begin(&player);
	assert_int_equal(claim(&player), -EBUSY);
	assert_non_null(strstr(error.text, "alive"));
	expect_marker_of(MARKER_PATH, &rival);

	end(&rival);
	assert_int_equal(unlink(MARKER_PATH), 0);
	assert_int_equal(rmdir("clients"), 0);
}

/* True if we held the lock on an incomplete marker when we removed it. We must
 * hold it, because the marker's writer may be alive and lock it at any time. */
static bool was_held;

static int unlink_locked(struct backend_session *session, const struct backend_path *path)
{
	if (strncmp(path->text, MARKER_PATH "-", strlen(MARKER_PATH "-")) == 0)
		was_held = backend_posix.is_held(session, path) == 1;
	return backend_posix.unlink(session, path);
}

static void incomplete_discarded(void **state)
{
	struct player player;
	char path[MARKER_PATH_SIZE];

	leave_dead_run();
	find_taker(path);
	put(path, "");
	backend.unlink = unlink_locked;
	begin(&player);
	assert_int_equal(claim(&player), 0);
	assert_true(was_held);
	assert_int_equal(clean(&player), 0);
	end(&player);
}

/* If `clients` cannot be renamed for its removal, another run may claim it as
 * soon as it is empty. */
static int rename_refused(struct backend_session *session, const struct backend_path *from,
			  const struct backend_path *to, bool replace)
{
	if (strcmp(from->text, CLIENTS_NAME) == 0)
		return -EACCES;
	return backend_posix.rename(session, from, to, replace);
}

static int rmdir_adopted(struct backend_session *session, const struct backend_path *path)
{
	if (!is_there(MARKER_PATH) && rival.claim.lock_fd < 0) {
		begin(&rival);
		assert_int_equal(claim(&rival), 0);
	}
	return backend_posix.rmdir(session, path);
}

static void adopted_meanwhile(void **state)
{
	struct player player;

	begin(&rival);
	begin(&player);
	assert_int_equal(claim(&player), 0);
	backend.rename = rename_refused;
	backend.rmdir = rmdir_adopted;
	assert_true(clean(&player) < 0);
	end(&player);
	expect_marker_of(MARKER_PATH, &rival);

	backend = backend_posix;
	assert_int_equal(clean(&rival), 0);
	end(&rival);
	assert_int_equal(rmdir("clients"), 0);

	/* If no other run claims `clients`, it is removed where it is. */
	begin(&player);
	assert_int_equal(claim(&player), 0);
	backend.rename = rename_refused;
	assert_int_equal(clean(&player), 0);
	end(&player);
	assert_false(is_there("clients"));
}

/*
 * Directories whose path is too long are moved up before their removal. This
 * must not happen to a directory below a dead run's files if it is the target
 * of a live run.
 */
static void long_target_below(void **state)
{
	struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	char name[91], below[128], path[256];
	struct player player;
	int fd;

	leave_dead_run();
	memset(name, 'a', 90);
	name[90] = '\0';
	snprintf(below, sizeof(below), "clients/client0/%s", name);
	assert_int_equal(mkdir(below, 0700), 0);
	snprintf(path, sizeof(path), "%s/clients", below);
	assert_int_equal(mkdir(path, 0700), 0);
	snprintf(path, sizeof(path), "%s/" MARKER_PATH, below);
	put(path, "");
	fd = open(path, O_RDWR);
	assert_int_equal(fcntl(fd, F_OFD_SETLK, &whole), 0);
	begin(&player);
	assert_int_equal(claim(&player), -EBUSY);
	assert_non_null(strstr(error.text, below));
	assert_true(is_there(path));

	close(fd);
	begin(&player);
	assert_int_equal(claim(&player), 0);
	assert_int_equal(clean(&player), 0);
	end(&player);
}

/* If the owner of a file is unknown, a later run will not trust the marker. */
static void writer_unknown(void **state)
{
	struct player player;

	begin(&player);
	assert_int_equal(claim(&player), 0);
	assert_true(player.claim.trusted);
	assert_int_equal(clean(&player), 0);
	end(&player);
	backend.owner_of = NULL;
	begin(&player);
	assert_int_equal(claim(&player), 0);
	assert_false(player.claim.trusted);
	assert_int_equal(clean(&player), 0);
	end(&player);
}

/* If it is unknown who wrote a dead run's marker, the names in it may be those
 * of foreign files, which a load must not change. */
static void list_of_unknown_writer(void **state)
{
	struct player player;

	leave_dead_run();
	backend.owner_of = NULL;
	begin(&player);
	assert_int_equal(claim(&player), -EEXIST);
	assert_non_null(strstr(error.text, "would change \"data\""));
	assert_true(is_there("data"));

	backend.owner_of = backend_posix.owner_of;
	begin(&player);
	assert_int_equal(claim(&player), 0);
	assert_int_equal(clean(&player), 0);
	end(&player);
}

int unit_workdir(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(marker_changed, set_up, tear_down),
		cmocka_unit_test_setup_teardown(marker_swapped, set_up, tear_down),
		cmocka_unit_test_setup_teardown(foreign_refused, set_up, tear_down),
		cmocka_unit_test_setup_teardown(marker_replaced_before_lock, set_up, tear_down),
		cmocka_unit_test_setup_teardown(marker_gone_before_lock, set_up, tear_down),
		cmocka_unit_test_setup_teardown(marker_replaced_before_rename, set_up, tear_down),
		cmocka_unit_test_setup_teardown(incomplete_discarded, set_up, tear_down),
		cmocka_unit_test_setup_teardown(adopted_meanwhile, set_up, tear_down),
		cmocka_unit_test_setup_teardown(long_target_below, set_up, tear_down),
		cmocka_unit_test_setup_teardown(writer_unknown, set_up, tear_down),
		cmocka_unit_test_setup_teardown(list_of_unknown_writer, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
