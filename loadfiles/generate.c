/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Print the built-in load, a NetBench-like day at the office.
 *
 * The load follows only statistics of the NetBench recording: how often each
 * operation occurs, with which sizes and outcomes.  The files, their names and
 * the order of the operations are invented.
 *
 * A task is one action of an office program: view a document, save it, copy a
 * file, spool a print job.  Its script is a list of steps.  A model of the
 * user's files yields the outcome of each step, so no outcome is written by
 * hand.  Several tasks are in progress at any time; a random choice, the same
 * in every run, decides which one continues.  Each task has a temporary file of
 * its own.  Documents are shared for reading: a task that replaces a document
 * waits until no other task has it open.
 */
#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))
#define NODES_MAX 300
#define SLOTS 5 /* tasks in progress */

/* A file or directory, whether it exists or not. */
struct node {
	struct node *parent;
	char path[64];
	unsigned piece;   /* bytes that its program writes at once */
	unsigned size;    /* bytes; 0 while it does not exist */
	unsigned handles; /* number of times it is open */
	bool exists;
};

enum set {
	ROOT,
	SHARE,
	USER,
	TREE,
	FOLDERS,
	BULK,
	STORES,
	SCANS,
	SETTINGS,
	BOXES,
	DOCUMENTS,
	SAVES,
	COPIES,
	JOBS,
	NOTES,
	OWNERS,
	PROBES,
	ABSENT,
	ATTIC,
	STRAYS,
	SETS
};

/* A task's files; role_names has their names in the scripts. */
enum role { DOC, TMP, FOLDER, HOME, GONE, ROLES };

static const char *const role_names[] = {"doc", "tmp", "folder", "home", "gone"};

struct task {
	struct file {
		struct node *node;
		unsigned handle; /* 0: not open */
		unsigned pos;    /* where the next read or write begins */
	} files[ROLES];
	const char *script; /* the steps after the current one, which is: */
	const struct verb *verb;
	struct file *file;
	unsigned size;  /* bytes */
	unsigned times; /* remaining; 0 at the end of the task */
};

/* A word of the scripts. The meaning of `more` depends on `play`. */
struct verb {
	const char *name;
	void (*play)(struct task *task, const struct verb *verb);
	const char *operation, *more;
};

/* Tasks of one kind. Each of them takes the next file of two sets. */
struct kind {
	unsigned count;
	enum set doc, tmp;
	const char *script;
};

/* The files of a set use its directories and names in turn; ## is replaced by
 * the number of the file. */
static const struct {
	unsigned count;
	enum set parents;
	const char *names;
} set_table[SETS] = {
	[ROOT] = {1, ROOT, ""},
	[SHARE] = {1, ROOT, "clients"},
	[USER] = {1, SHARE, "client1"},
	[TREE] = {1, USER, "~dmtmp"},
	[FOLDERS] = {9, TREE, "LETTERS LEDGERS SLIDES PLANS FORMS TRAVEL MINUTES STAFF STOCK"},
	[BULK] = {12, USER, "bulk##.bin"},
	[STORES] = {5, FOLDERS, "store##.tbl"},
	[SCANS] = {10, FOLDERS, "scan##.img"},
	[SETTINGS] = {1, USER, "settings.cfg"},
	[BOXES] = {2, FOLDERS, "mail##.box"},
	[DOCUMENTS] = {26, FOLDERS,
		       "letter##.ltr ledger##.ldg talk##.sld bridge##.pln claim##.frm trip##.trv "
		       "board##.min rota##.stf shelf##.stk"},
	[SAVES] = {26, FOLDERS, "~save##.tmp"},
	[COPIES] = {4, FOLDERS, "copy##.bin"},
	[JOBS] = {6, FOLDERS, "job##.spl"},
	[NOTES] = {7, FOLDERS, "note##.txt"},
	[OWNERS] = {41, FOLDERS, "~own##.lck"},
	[PROBES] = {40, FOLDERS, "~try##.tmp"},
	[ABSENT] = {24, FOLDERS, "link##.lnk"},
	[ATTIC] = {1, TREE, "ATTIC"},
	[STRAYS] = {1, ATTIC, "lease.bak"},
};

static const unsigned pieces[] = {1536,  3072,  5120,  7680,  9728,  12288, 16384,
				  18432, 20480, 24576, 28672, 36864, 55296};

static struct node nodes[NODES_MAX] = {{.exists = true}};
static size_t nnodes = 1;
static struct node *sets[SETS] = {nodes}; /* the first node of each */

static struct node *set_member(enum set set, unsigned i)
{
	return &sets[set][i % set_table[set].count];
}

static void set_add(enum set set)
{
	const char *name = set_table[set].names;

	sets[set] = &nodes[nnodes];
	for (unsigned i = 0; i < set_table[set].count; i++) {
		struct node *node = &nodes[nnodes++];
		int used, len = (int)strcspn(name, " ");
		char *number;

		assert(nnodes <= NODES_MAX);
		node->parent = set_member(set_table[set].parents, i);
		node->piece = pieces[i % COUNT(pieces)];
		used = snprintf(node->path, sizeof(node->path), "%s\\%.*s", node->parent->path, len,
				name);
		if (used >= (int)sizeof(node->path))
			abort();
		number = strstr(node->path, "##");
		if (number) {
			number[0] = (char)('0' + i / 10);
			number[1] = (char)('0' + i % 10);
		}
		name = name[len] ? name + len + 1 : set_table[set].names;
	}
}

/* Return a random number below the limit, the same ones in every run. */
static unsigned chance(unsigned limit)
{
	static unsigned state = 19970702;

	state ^= state << 13;
	state ^= state >> 17;
	state ^= state << 5;
	return state % limit;
}

/* Return the status with which a file system would answer. */
static const char *answer(const struct node *node)
{
	if (node->exists)
		return "OK";
	return node->parent->exists ? "OBJECT_NAME_NOT_FOUND" : "OBJECT_PATH_NOT_FOUND";
}

/* Play a verb: print its operation and update the model. */
static void play_path(struct task *task, const struct verb *verb)
{
	printf("%s \"%s\" %s NT_STATUS_%s\n", verb->operation, task->file->node->path, verb->more,
	       answer(task->file->node));
}

static void play_handle(struct task *task, const struct verb *verb)
{
	assert(task->file->handle);
	printf("%s %u%s NT_STATUS_OK\n", verb->operation, task->file->handle, verb->more);
}

static void play_space(struct task *task, const struct verb *verb)
{
	(void)task;
	printf("%s %s NT_STATUS_OK\n", verb->operation, verb->more);
}

static void play_open(struct task *task, const struct verb *verb)
{
	static unsigned last_handle = 100;
	struct file *file = task->file;

	assert(!file->handle);
	printf("%s \"%s\" %s %u NT_STATUS_%s\n", verb->operation, file->node->path, verb->more,
	       ++last_handle, answer(file->node));
	if (file->node->exists) {
		file->handle = last_handle;
		file->pos = 0;
		file->node->handles++;
	}
}

static void play_make(struct task *task, const struct verb *verb)
{
	struct node *node = task->file->node;

	assert(!node->exists && node->parent->exists);
	node->exists = true;
	play_open(task, verb);
}

static void play_close(struct task *task, const struct verb *verb)
{
	play_handle(task, verb);
	task->file->handle = 0;
	task->file->node->handles--;
}

/* Read a random block, or the next one, or the first one after the last. */
static void play_read(struct task *task, const struct verb *verb)
{
	struct file *file = task->file;
	unsigned size = task->size, end = file->node->size;

	assert(file->handle && size <= end);
	if (verb->more)
		file->pos = chance(end / size) * size;
	else if (file->pos + size > end)
		file->pos = 0;
	printf("%s %u %u %u %u NT_STATUS_OK\n", verb->operation, file->handle, file->pos, size,
	       size);
	file->pos += size;
}

/* Write the next block, or only a byte near its end, to make room for it. */
static void play_write(struct task *task, const struct verb *verb)
{
	struct file *file = task->file;
	unsigned offset = verb->more ? file->pos + task->size - 2 : file->pos;
	unsigned size = verb->more ? 1 : task->size;

	assert(file->handle);
	printf("%s %u %u %u %u NT_STATUS_OK\n", verb->operation, file->handle, offset, size, size);
	if (file->node->size < offset + size)
		file->node->size = offset + size;
	if (!verb->more)
		file->pos += size;
}

/* Search for all names in a directory, for one, or for one with any suffix. */
static void play_find(struct task *task, const struct verb *verb)
{
	const struct node *node = task->file->node;
	const bool all = *verb->more == '\\';
	const struct node *dir = all ? node : node->parent;
	unsigned found = all ? 2 : 0; /* . and .. */
	size_t len = strlen(node->path);

	if (*verb->more == '.')
		len = (size_t)(strrchr(node->path, '.') - node->path);
	for (size_t i = 0; i < nnodes; i++)
		found += nodes[i].exists && nodes[i].parent == dir &&
			 !strncmp(nodes[i].path, node->path, len);
	printf("%s \"%.*s%s\" 260 1366 %u NT_STATUS_%s\n", verb->operation, (int)len, node->path,
	       verb->more, found, found ? "OK" : "NO_SUCH_FILE");
}

static void play_unlink(struct task *task, const struct verb *verb)
{
	struct node *node = task->file->node;

	assert(node->exists && !node->handles);
	play_path(task, verb);
	node->exists = false;
	node->size = 0;
}

/* Rename the temporary file to the document's name, which must be free. */
static void play_rename(struct task *task, const struct verb *verb)
{
	struct node *from = task->files[TMP].node, *to = task->files[DOC].node;

	assert(from->exists && !from->handles && !to->exists);
	printf("%s \"%s\" \"%s\" NT_STATUS_OK\n", verb->operation, from->path, to->path);
	to->exists = true;
	to->size = from->size;
	from->exists = false;
	from->size = 0;
}

static const struct verb verbs[] = {
	{"query", play_path, "QUERY_PATH_INFORMATION", "1004"},
	{"inspect", play_path, "QUERY_PATH_INFORMATION", "1035"},
	{"open", play_open, "NTCreateX", "0x40 0x1"},
	{"peek", play_open, "NTCreateX", "0x0 0x1"},
	{"make", play_make, "NTCreateX", "0x40 0x2"},
	{"reset", play_make, "NTCreateX", "0x40 0x5"},
	{"close", play_close, "Close", ""},
	{"read", play_read, "ReadX", NULL},
	{"scatter", play_read, "ReadX", "anywhere"},
	{"write", play_write, "WriteX", NULL},
	{"grow", play_write, "WriteX", "far"},
	{"measure", play_handle, "QUERY_FILE_INFORMATION", " 258"},
	{"info", play_handle, "QUERY_FILE_INFORMATION", " 1004"},
	{"extent", play_handle, "QUERY_FILE_INFORMATION", " 1005"},
	{"stamp", play_handle, "SET_FILE_INFORMATION", " 1004"},
	{"flush", play_handle, "Flush", ""},
	{"lock", play_handle, "LockX", " 0 8192"},
	{"unlock", play_handle, "UnlockX", " 0 8192"},
	{"space", play_space, "QUERY_FS_INFORMATION", "259"},
	{"list", play_find, "FIND_FIRST", "\\*"},
	{"find", play_find, "FIND_FIRST", ""},
	{"findany", play_find, "FIND_FIRST", ".*"},
	{"unlink", play_unlink, "Unlink", "0x6"},
	{"rename", play_rename, "Rename", NULL},
};

/*
 * The scripts.  A step is VERB=BYTES*TIMES; without BYTES, the file's `piece`
 * is used.  A role with a colon selects the file of the steps after it.  The
 * counts and repetitions add up to the statistics of the recording.
 */
#define STRETCH " measure grow=262144 write=65536*4"
#define WRITE_PAPER \
	"doc: make write write write=8192 close query open" \
	" read=4096*3 close inspect inspect"
#define GLANCE \
	"doc: query open close open read=4096 read=1024 close inspect" \
	" open close"

static const struct kind filler[] = {
	{12, BULK, ROOT, "doc: query make" STRETCH STRETCH STRETCH " close query"},
	{5, STORES, ROOT,
	 "home: list doc: make" STRETCH STRETCH " measure grow=131072 write=65536*2 close"},
	{10, SCANS, ROOT, "doc: space make" STRETCH STRETCH " close"},
};

static const struct kind papers[] = {
	{26, DOCUMENTS, ROOT, WRITE_PAPER},
	{2, BOXES, ROOT, WRITE_PAPER},
	{1, SETTINGS, ROOT, "doc: open query find reset write write close"},
};

static const struct kind body[] = {
	/* save a document */
	{26, DOCUMENTS, SAVES,
	 "home: list doc: query open info read=4096*6 read tmp: findany open query make space "
	 "measure grow write write write=4096*2 flush stamp close inspect doc: close unlink query "
	 "rename query open read=512 close inspect tmp: find"},
	/* copy a large file */
	{4, BULK, COPIES,
	 "home: list doc: query inspect open info read=4096 tmp: query find open space make doc: "
	 "read=61440*4 tmp:" STRETCH " doc: read=61440*4 tmp:" STRETCH
	 " doc: read=61440*4 close tmp:" STRETCH " stamp close query find unlink"},
	/* spool and print */
	{6, ROOT, JOBS,
	 "tmp: space space findany open query query make" STRETCH STRETCH
	 " flush stamp close inspect open extent read=61440*8 close unlink"},
	/* write a note and delete it */
	{7, ROOT, NOTES,
	 "tmp: findany query open space make measure grow write write write write=4096*3 flush "
	 "stamp close query open read read=4096*2 close unlink"},
	/* deliver mail */
	{2, BOXES, ROOT,
	 "doc: inspect space open lock write=4096*2 flush unlock scatter=4096*3 read=512 stamp "
	 "flush close"},
	/* view a document, with its owner's lock file beside it */
	{41, DOCUMENTS, OWNERS,
	 "home: list doc: query tmp: find open query make doc: open read=4096*5 read=3072 close "
	 "tmp: close unlink"},
	/* check whether files can be created */
	{40, ROOT, PROBES, "tmp: space open make close query unlink query"},
	/* look up records */
	{4, STORES, ROOT,
	 "doc: query folder: list doc: open extent scatter=4096*40 scatter=3584*8 close"},
	/* leaf through pictures */
	{11, SCANS, ROOT, "doc: query space open read=4096 read=61440*3 scatter=4096*3 close"},
	/* browse folders, follow dead links */
	{25, ROOT, ROOT, "home: list gone: open query folder: peek inspect close"},
	{7, ROOT, ROOT, "gone: open query open"},
	{1, STRAYS, ROOT, "doc: query gone: findany"},
	/* properties */
	{5, SETTINGS, ROOT, "doc: inspect open stamp close"},
	{3, DOCUMENTS, ROOT, "doc: peek close"},
	/* icons */
	{36, DOCUMENTS, ROOT, GLANCE},
	{19, SCANS, ROOT, GLANCE},
};

/* Take the next step from a task's script. Return false at its end. */
static bool step_next(struct task *task)
{
	char word[16];
	size_t i;

	task->times = 0;
	while (!task->times && sscanf(task->script, "%15[a-z]", word) == 1) {
		task->script += strlen(word);
		if (*task->script == ':') {
			for (i = 0; strcmp(role_names[i], word); i++)
				assert(i + 1 < ROLES);
			task->file = &task->files[i];
		} else {
			for (i = 0; strcmp(verbs[i].name, word); i++)
				assert(i + 1 < COUNT(verbs));
			task->verb = &verbs[i];
			task->size = task->file->node->piece;
			task->times = 1;
			sscanf(task->script, "=%u*%u", &task->size, &task->times);
		}
		task->script += strcspn(task->script, " ");
		task->script += strspn(task->script, " ");
	}
	return task->times > 0;
}

static void task_begin(struct task *task, const struct kind *kind, unsigned i)
{
	*task = (struct task){
		.files[DOC].node = set_member(kind->doc, i),
		.files[TMP].node = set_member(kind->tmp, i),
		.files[FOLDER].node = set_member(FOLDERS, i),
		.files[HOME].node = set_member(TREE, 0),
		.files[GONE].node = set_member(ABSENT, i),
		.script = kind->script,
	};
	step_next(task);
}

/*
 * Play some steps of a task. Return false at its end. A turn never ends while
 * the document does not exist.
 */
static bool task_continue(struct task *task)
{
	int turn = 1 + (int)chance(8);

	while (turn-- > 0 || !task->files[DOC].node->exists) {
		if (task->verb->play == play_unlink && task->file->node->handles)
			break;
		task->verb->play(task, task->verb);
		if (--task->times == 0 && !step_next(task))
			return false;
	}
	return true;
}

/* Play all tasks, with the tasks of each kind spread evenly. */
static void play(const struct kind *kinds, size_t nkinds)
{
	struct task tasks[SLOTS] = {0};
	unsigned begun[COUNT(body)] = {0}, left = 0;

	for (size_t k = 0; k < nkinds; k++)
		left += kinds[k].count;
	while (left > 0) {
		struct task *task = &tasks[chance(SLOTS)];
		size_t next = 0;

		if (task->times > 0) {
			left -= !task_continue(task);
			continue;
		}
		for (size_t k = 1; k < nkinds; k++)
			if ((2 * begun[k] + 1) * kinds[next].count <
			    (2 * begun[next] + 1) * kinds[k].count)
				next = k;
		if (begun[next] < kinds[next].count)
			task_begin(task, &kinds[next], begun[next]++);
	}
}

int main(void)
{
	static struct node before[NODES_MAX];

	for (enum set set = SHARE; set < SETS; set++)
		set_add(set);
	sets[SHARE]->exists = true;
	printf("# A day at the office of a NetBench user; the default load\n"
	       "#\n"
	       "# Imitates dbench's recording of NetBench's Enterprise Disk\n"
	       "# Mix. The load is made from statistics of the recording: how\n"
	       "# often each operation occurs, with which sizes, and with\n"
	       "# which outcomes.\n"
	       "#\n"
	       "# Differences from NetBench: all users play the same\n"
	       "# operations, because only one client of NetBench was\n"
	       "# recorded. The load has no pauses; NetBench can make pauses\n"
	       "# (think time). Before the measurement, each user plays the\n"
	       "# beginning of the load, which writes most of the user's\n"
	       "# files. The options --warmup 30 --ramp-down 30 correspond to\n"
	       "# NetBench's ramp-up and ramp-down of 30 s. Each user is a\n"
	       "# process; in NetBench, each client is a machine. The option\n"
	       "# --bits shows the throughput in Mbit/s, as NetBench does.\n"
	       "Deltree \"%s\" NT_STATUS_OK\nMkdir \"%s\" NT_STATUS_OK\n",
	       sets[USER]->path, sets[SHARE]->path);
	for (struct node *node = sets[USER]; node < sets[BULK]; node++) {
		printf("NTCreateX \"%s\" 0x1 0x2 1 NT_STATUS_OK\n"
		       "Close 1 NT_STATUS_OK\n",
		       node->path);
		node->exists = true;
	}
	play(filler, COUNT(filler));
	play(papers, COUNT(papers));
	memcpy(before, nodes, sizeof(nodes));
	puts("LOOP 129"); /* the number of repetitions in the recording */
	play(body, COUNT(body));
	assert(!memcmp(before, nodes, sizeof(nodes)));
	printf("ENDLOOP\nDeltree \"%s\" NT_STATUS_OK\n", sets[USER]->path);
	return ferror(stdout) || fclose(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}
