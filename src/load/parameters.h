/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The parameters of a native load: PARAM, which gives a name to a number or a
 * word; the counters of REPEATs; IF, ELSE and ENDIF, which leave out lines; and
 * `$name` in all other lines, which is replaced by the value before the line is
 * compiled.
 */
#ifndef LOAD_PARAMETERS_H
#define LOAD_PARAMETERS_H

#include "base/suggest.h"
#include "compile/builder.h"
#include "load/load.h"
#include "load/reader.h"

struct parameters;

/* Return the parameters of a load, none yet, or NULL if there is no memory.
 * `options` must stay valid. */
struct parameters *parameters_new(struct builder *builder, const struct load_options *options);
void parameters_free(struct parameters *parameters);

/*
 * Handle a line before it is compiled. Return 1 if there is nothing to compile,
 * as the line is a PARAM, IF, ELSE or ENDIF or is left out by an IF; 0 after
 * replacing the parameters in its words; or -EINVAL with `error` set, or
 * -ENOMEM. The replaced words are valid until the next call.
 */
int parameters_line(struct parameters *parameters, struct line *line, struct error *error);

/* After an error in the line that parameters_line() has replaced last: if a setting
 * has set one of its parameters, begin with the setting and with what it means. */
void parameters_explain(const struct parameters *parameters, struct error *error);

/* Offer the words of the lines that parameters_line() handles
 * (base/suggest.h). */
void parameters_suggest(struct suggestion *suggestion);

/* Return what this is the name of, "a PARAM" or "the counter of a REPEAT", or
 * NULL. */
const char *parameters_kind(const struct parameters *parameters, const char *name);

/*
 * Begin a REPEAT: let $name stand for `value` from now on. Then only IFs that
 * begin in the REPEAT can end in it. Return 0, or -EINVAL with `error` set
 * without a line if the name is in use or cannot be one, or -ENOMEM.
 */
int parameters_begin_repeat(struct parameters *parameters, const char *name, uint64_t value,
			    struct error *error);

/* Set the value of the innermost REPEAT's counter. */
void parameters_count_repeat(struct parameters *parameters, uint64_t value);

/* Refuse an ENDREPEAT before which an IF in the REPEAT has not ended. End the
 * IF. Return 0, or -EINVAL with `error` set without a line. */
int parameters_check_repeat(struct parameters *parameters, struct error *error);

/* End the innermost REPEAT. */
void parameters_end_repeat(struct parameters *parameters);

/* Check at the end of the load that each IF has an ENDIF, and each parameter
 * and each setting a use. Add the errors to `errors`. */
void parameters_end(const struct parameters *parameters, const char *source, struct errors *errors);

#endif
