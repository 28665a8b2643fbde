/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "target/nfs/cache.h"

/* Return the path of a number, and its length. */
static const char *path_of(int number, size_t *length)
{
	static char path[32];

	*length = (size_t)snprintf(path, sizeof(path), "t/%d/file", number);
	return path;
}

static void put(struct nfs_cache *cache, int number, int value)
{
	struct nfs_handle handle = {.length = sizeof(value)};
	size_t length;
	const char *path = path_of(number, &length);

	memcpy(handle.bytes, &value, sizeof(value));
	nfs_cache_put(cache, path, length, &handle);
}

/* Return the value that was put for a number, or -1. */
static int get(const struct nfs_cache *cache, int number)
{
	size_t length;
	const char *path = path_of(number, &length);
	const struct nfs_handle *handle = nfs_cache_get(cache, path, length);
	int value;

	if (handle == NULL)
		return -1;
	memcpy(&value, handle->bytes, sizeof(value));
	return value;
}

static void drop(struct nfs_cache *cache, int number)
{
	size_t length;
	const char *path = path_of(number, &length);

	nfs_cache_drop(cache, path, length);
}

static void handles_are_found_until_they_are_dropped(void **state)
{
	struct nfs_cache cache = {0};
	int i;

	assert_int_equal(get(&cache, 1), -1);
	drop(&cache, 1);
	for (i = 0; i < 1000; i++)
		put(&cache, i, i);
	put(&cache, 7, 70);
	assert_int_equal(cache.used, 1000);
	for (i = 0; i < 1000; i++)
		assert_int_equal(get(&cache, i), i == 7 ? 70 : i);
	drop(&cache, 7);
	drop(&cache, 7);
	assert_int_equal(cache.used, 999);
	for (i = 0; i < 1000; i++)
		assert_int_equal(get(&cache, i), i == 7 ? -1 : i);
	nfs_cache_close(&cache);
}

/* A full cache evicts the oldest handle for each new one. */
static void a_full_cache_evicts(void **state)
{
	enum { MORE = 1000 };
	struct nfs_cache cache = {0};
	int i;

	for (i = 0; i < NFS_CACHE_MAX + MORE; i++) {
		put(&cache, i, i);
		assert_int_equal(get(&cache, i), i);
	}
	assert_int_equal(cache.used, NFS_CACHE_MAX);
	for (i = 0; i < NFS_CACHE_MAX + MORE; i++)
		assert_int_equal(get(&cache, i), i < MORE ? -1 : i);
	/* Room that was made is used before another handle goes. */
	drop(&cache, NFS_CACHE_MAX);
	put(&cache, 0, 0);
	assert_int_equal(cache.used, NFS_CACHE_MAX);
	assert_int_equal(get(&cache, MORE), MORE);
	for (i = 0; i < NFS_CACHE_MAX + MORE; i++)
		drop(&cache, i);
	assert_int_equal(cache.used, 0);
	nfs_cache_close(&cache);
}

static void a_tree_is_dropped_whole(void **state)
{
	struct nfs_cache cache = {0};
	struct nfs_handle handle = {.length = 1};

	put(&cache, 1, 1);
	put(&cache, 10, 10);
	nfs_cache_put(&cache, "t/1", 3, &handle);
	nfs_cache_drop_tree(&cache, "t/1");
	assert_null(nfs_cache_get(&cache, "t/1", 3));
	assert_int_equal(get(&cache, 1), -1);
	assert_int_equal(get(&cache, 10), 10);
	nfs_cache_close(&cache);
}

static void some_handles_are_not_kept(void **state)
{
	static const struct nfs_handle none = {0}, handle = {.length = 1};
	struct nfs_cache cache = {0};
	char path[NFS_CACHE_PATH + 1];

	memset(path, 'x', sizeof(path));
	nfs_cache_put(&cache, "empty", 5, &none);
	nfs_cache_put(&cache, path, sizeof(path), &handle);
	assert_null(nfs_cache_get(&cache, "empty", 5));
	assert_null(nfs_cache_get(&cache, path, sizeof(path)));
	nfs_cache_put(&cache, path, NFS_CACHE_PATH, &handle);
	assert_non_null(nfs_cache_get(&cache, path, NFS_CACHE_PATH));
	nfs_cache_close(&cache);
}

int unit_nfs_cache(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(handles_are_found_until_they_are_dropped),
		cmocka_unit_test(a_full_cache_evicts),
		cmocka_unit_test(a_tree_is_dropped_whole),
		cmocka_unit_test(some_handles_are_not_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
