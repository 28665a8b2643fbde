/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The checks of longjmp() that this macro brings take a jump to another stack for an
 * error. */
#undef _FORTIFY_SOURCE
#include "base/fibers.h"

#include "base/clock.h"

#include <errno.h>
#include <setjmp.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

#if defined(__SANITIZE_ADDRESS__)
#define FIBERS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FIBERS_SANITIZED 1
#endif
#endif
#ifdef FIBERS_SANITIZED
#include <sanitizer/common_interface_defs.h>
#define NOT_SANITIZED __attribute__((no_sanitize("address")))
#else
#define NOT_SANITIZED
#endif

enum {
	STACK_BYTES = 512 << 10,
	/* The space between stacks: for valgrind, a move of the stack pointer by 2 MB is a
	 * switch to another stack, and a shorter one is a call. */
	GUARD_BYTES = 4 << 20,
};

struct fiber {
	struct fibers *fibers;
	struct fiber *next; /* of the queue */
	const void *channel;
	uint64_t until_ns; /* when it runs in any case */
	uint64_t woken_ns; /* 0: not woken */
	bool ready;        /* is in the queue, or runs */
	bool begun;
	jmp_buf state;
	void (*run)(void *context);
	void *context;
	void *memory; /* a guard, then the stack; NULL: the thread's own stack */
	/* For the address sanitizer: its state, and the stack. */
	void *fake_stack;
	const void *stack;
	size_t stack_bytes;
};

struct fibers {
	struct fiber *current, *left; /* left: the one that ran before it */
	struct fiber *first, **end;   /* the queue of those that are ready to run */
	fibers_idle *idle;
	void *context;
	uint64_t earliest_ns; /* no fiber's until_ns is earlier */
	unsigned count, max, alive;
	struct fiber list[];
};

static void before_switch(struct fiber *from, const struct fiber *to)
{
	from->fibers->left = from;
#ifdef FIBERS_SANITIZED
	__sanitizer_start_switch_fiber(&from->fake_stack, to->stack, to->stack_bytes);
#else
	(void)to;
#endif
}

static void after_switch(struct fiber *to)
{
	struct fibers *fibers = to->fibers;

#ifdef FIBERS_SANITIZED
	__sanitizer_finish_switch_fiber(to->fake_stack, &fibers->left->stack,
					&fibers->left->stack_bytes);
#endif
	fibers->current = to;
}

static void sleep_without_input(void *context, uint64_t until_ns)
{
	(void)context;
	clock_sleep_until_ns(until_ns);
}

struct fibers *fibers_open(unsigned max)
{
	struct fibers *fibers = calloc(1, sizeof(*fibers) + (max + 1) * sizeof(struct fiber));

	if (fibers == NULL)
		return NULL;
	fibers->max = max;
	fibers->end = &fibers->first;
	fibers->idle = sleep_without_input;
	fibers->earliest_ns = CLOCK_NEVER;
	fibers->current = &fibers->list[fibers->count++];
	*fibers->current = (struct fiber){.fibers = fibers, .ready = true, .begun = true};
	return fibers;
}

void fibers_close(struct fibers *fibers)
{
	unsigned i;

	if (fibers == NULL)
		return;
	for (i = 1; i < fibers->count; i++)
		munmap(fibers->list[i].memory, GUARD_BYTES + STACK_BYTES);
	free(fibers);
}

static void make_ready(struct fiber *fiber)
{
	struct fibers *fibers = fiber->fibers;

	fiber->ready = true;
	fiber->next = NULL;
	*fibers->end = fiber;
	fibers->end = &fiber->next;
}

int fibers_begin(struct fibers *fibers, void (*run)(void *context), void *context)
{
	size_t bytes = GUARD_BYTES + STACK_BYTES;
	struct fiber *fiber = &fibers->list[fibers->count];
	void *memory;

	if (fibers->count > fibers->max)
		return -ENOMEM;
	memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
	if (memory == MAP_FAILED)
		return -ENOMEM;
	mprotect(memory, GUARD_BYTES, PROT_NONE);
	*fiber = (struct fiber){
		.fibers = fibers,
		.run = run,
		.context = context,
		.memory = memory,
		.stack = (char *)memory + GUARD_BYTES,
		.stack_bytes = STACK_BYTES,
	};
	fibers->count++;
	fibers->alive++;
	make_ready(fiber);
	return 0;
}

void fibers_on_idle(struct fibers *fibers, fibers_idle *idle, void *context)
{
	fibers->idle = idle;
	fibers->context = context;
}

/* Run a fiber to its end. The pointer comes in two halves, as makecontext() passes
 * numbers only. */
static void run_fiber(unsigned high, unsigned low)
{
	struct fiber *self = (struct fiber *)(uintptr_t)((uint64_t)high << 32 | low);
	struct fibers *fibers = self->fibers;

	after_switch(self);
	self->run(self->context);
	fibers->alive--;
	fibers_wake(fibers, &fibers->alive);
	for (;;)
		fibers_sleep(fibers, NULL, CLOCK_NEVER);
}

/* Run a fiber for the first time: only this can change the stack. This never returns,
 * so the sanitizer would take the place of its variables for used ever after. */
static NOT_SANITIZED void enter(struct fiber *fiber)
{
	uintptr_t address = (uintptr_t)fiber;
	ucontext_t context;

	fiber->begun = true;
	/* cppcheck-suppress getcontextCalled ; threads cannot share a connection */
	getcontext(&context);
	context.uc_stack.ss_sp = (void *)(uintptr_t)fiber->stack;
	context.uc_stack.ss_size = fiber->stack_bytes;
	context.uc_link = NULL;
	makecontext(&context, (void (*)(void))run_fiber, 2, (unsigned)((uint64_t)address >> 32),
		    (unsigned)address);
	setcontext(&context);
}

/* Run the first fiber of the queue until the current one runs again. */
static void run_next(struct fibers *fibers)
{
	struct fiber *self = fibers->current, *next = fibers->first;

	fibers->first = next->next;
	if (fibers->first == NULL)
		fibers->end = &fibers->first;
	if (next == self)
		return;
	before_switch(self, next);
	/* Unlike swapcontext(), this makes no system call. */
	if (_setjmp(self->state) == 0) {
		if (next->begun)
			_longjmp(next->state, 1);
		enter(next);
	}
	after_switch(self);
}

/* Make the fibers ready whose time has come. */
static void look_at_clock(struct fibers *fibers)
{
	uint64_t now_ns;
	unsigned i;

	if (fibers->earliest_ns == CLOCK_NEVER)
		return;
	now_ns = clock_now_ns();
	if (now_ns < fibers->earliest_ns)
		return;
	fibers->earliest_ns = CLOCK_NEVER;
	for (i = 0; i < fibers->count; i++) {
		struct fiber *fiber = &fibers->list[i];

		if (fiber->ready)
			continue;
		if (fiber->until_ns <= now_ns)
			make_ready(fiber);
		else if (fiber->until_ns < fibers->earliest_ns)
			fibers->earliest_ns = fiber->until_ns;
	}
}

bool fibers_sleep(struct fibers *fibers, const void *channel, uint64_t until_ns)
{
	struct fiber *self = fibers->current;

	self->ready = false;
	self->channel = channel;
	self->until_ns = until_ns;
	self->woken_ns = 0;
	if (until_ns < fibers->earliest_ns)
		fibers->earliest_ns = until_ns;
	look_at_clock(fibers);
	while (fibers->first == NULL) {
		fibers->idle(fibers->context, fibers->earliest_ns);
		look_at_clock(fibers);
	}
	run_next(fibers);
	self->channel = NULL;
	return self->woken_ns > 0;
}

void fibers_wake(struct fibers *fibers, const void *channel)
{
	uint64_t now_ns = 0;
	unsigned i;

	for (i = 0; i < fibers->count; i++) {
		struct fiber *fiber = &fibers->list[i];

		if (fiber->channel != channel || channel == NULL)
			continue;
		if (now_ns == 0)
			now_ns = clock_now_ns();
		fiber->woken_ns = now_ns;
		if (!fiber->ready)
			make_ready(fiber);
	}
}

void fibers_join(struct fibers *fibers)
{
	while (fibers->alive > 0)
		fibers_sleep(fibers, &fibers->alive, CLOCK_NEVER);
}

uint64_t fibers_take_woken_ns(struct fibers *fibers)
{
	uint64_t woken_ns = fibers->current->woken_ns;

	fibers->current->woken_ns = 0;
	return woken_ns;
}
