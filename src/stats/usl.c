/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stats/usl.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_blas.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_multifit_nlinear.h>

enum { ALPHA, BETA, GAMMA, PARAMETERS };

/*
 * The points with a valid repeat: the means of these repeats. Rates are divided
 * by the greatest one, so that they are of the order of 1.
 */
struct observations {
	double *users, *rates;
	double *weights; /* number of valid repeats */
	size_t count;
	double min_users, max_users, greatest_rate;
	/* The sum of the squared distances of the repeats from their means, and
	 * its degrees of freedom. */
	double within;
	size_t within_degrees;
};

/* A fit in which some parameters are free and the others are fixed at 0. */
struct fit {
	const struct observations *data;
	bool is_free[PARAMETERS];
	double values[PARAMETERS];
	/* Half the width of each value's 95 % confidence interval. */
	double half_widths[PARAMETERS];
	double sum_of_squares;
	bool found;
};

static double denominator(const double *values, double users)
{
	return 1 + values[ALPHA] * (users - 1) + values[BETA] * users * (users - 1);
}

static double law(const double *values, double users)
{
	return values[GAMMA] * users / denominator(values, users);
}

/* Set all parameters: the free ones from the solver, the others to 0. */
static void merge(const struct fit *fit, const gsl_vector *solver, double values[PARAMETERS])
{
	size_t next = 0, i;

	for (i = 0; i < PARAMETERS; i++)
		values[i] = fit->is_free[i] ? gsl_vector_get(solver, next++) : 0;
}

static int residuals(const gsl_vector *solver, void *context, gsl_vector *residual)
{
	/* With negative parameters the law has a pole, at which its denominator
	 * is 0. A large residual keeps the solver away from there. */
	static const double very_bad = 1e3;
	const struct fit *fit = context;
	double values[PARAMETERS];
	size_t i;

	merge(fit, solver, values);
	for (i = 0; i < fit->data->count; i++) {
		double users = fit->data->users[i];

		gsl_vector_set(residual, i,
			       denominator(values, users) > 0
				       ? law(values, users) - fit->data->rates[i]
				       : very_bad);
	}
	return GSL_SUCCESS;
}

static int derivatives(const gsl_vector *solver, void *context, gsl_matrix *jacobian)
{
	const struct fit *fit = context;
	double values[PARAMETERS];
	size_t i, j, column;

	merge(fit, solver, values);
	for (i = 0; i < fit->data->count; i++) {
		double users = fit->data->users[i];
		double below = denominator(values, users);
		double slope = -law(values, users) / below;
		const double by[PARAMETERS] = {
			[ALPHA] = slope * (users - 1),
			[BETA] = slope * users * (users - 1),
			[GAMMA] = users / below,
		};

		for (j = 0, column = 0; j < PARAMETERS; j++)
			if (fit->is_free[j])
				gsl_matrix_set(jacobian, i, column++, by[j]);
	}
	return GSL_SUCCESS;
}

/* Set values[GAMMA] to the best gamma for the given alpha and beta. Return the
 * sum of squared residuals. */
static double best_gamma(const struct observations *data, double *values)
{
	double rates_shapes = 0, shapes = 0, rates = 0;
	size_t i;

	for (i = 0; i < data->count; i++) {
		double shape = data->users[i] / denominator(values, data->users[i]);

		rates_shapes += data->rates[i] * shape;
		shapes += shape * shape;
		rates += data->rates[i] * data->rates[i];
	}
	values[GAMMA] = rates_shapes / shapes;
	return rates - rates_shapes * rates_shapes / shapes;
}

/* Find the best point of a coarse grid, for the solver to start at. */
static void find_start(const struct fit *fit, double start[PARAMETERS])
{
	static const double grid[] = {0, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1, 10};
	const size_t length = sizeof(grid) / sizeof(grid[0]);
	double min = INFINITY;
	size_t i, j, k;

	for (i = 0; i < length; i++) {
		for (j = 0; j < length; j++) {
			double values[PARAMETERS] = {
				[ALPHA] = fit->is_free[ALPHA] ? grid[i] : 0,
				[BETA] = fit->is_free[BETA] ? grid[j] : 0,
			};
			double squares = best_gamma(fit->data, values);

			if (squares >= min)
				continue;
			min = squares;
			for (k = 0; k < PARAMETERS; k++)
				start[k] = values[k];
		}
	}
}

/*
 * Check that the sum of squares is at its minimum: there, the residuals are
 * orthogonal to each column of the Jacobian. The solver's own status is of no
 * use: if it starts exactly at the minimum, it reports a lack of progress.
 */
static bool is_min(const gsl_vector *residual, const gsl_matrix *jacobian)
{
	const double right_angle = 1e-5, nothing = 1e-12;
	double length = gsl_blas_dnrm2(residual);
	size_t i;

	if (!isfinite(length))
		return false;
	for (i = 0; i < jacobian->size2; i++) {
		gsl_vector_const_view column = gsl_matrix_const_column(jacobian, i);
		double product;

		gsl_blas_ddot(residual, &column.vector, &product);
		if (!(fabs(product) <=
		      (right_angle * length + nothing) * gsl_blas_dnrm2(&column.vector)))
			return false;
	}
	return true;
}

/* Take the values from the solver, and compute the intervals. Return 0 or
 * -ENOMEM. */
static int take(struct fit *fit, gsl_multifit_nlinear_workspace *solver)
{
	const gsl_vector *residual = gsl_multifit_nlinear_residual(solver);
	gsl_matrix *jacobian = gsl_multifit_nlinear_jac(solver);
	size_t free_count = jacobian->size2, next = 0, i;
	double degrees = (double)(fit->data->count - free_count);
	gsl_matrix *covariance = gsl_matrix_alloc(free_count, free_count);
	double t = gsl_cdf_tdist_Pinv(0.975, degrees);

	if (covariance == NULL)
		return -ENOMEM;
	merge(fit, gsl_multifit_nlinear_position(solver), fit->values);
	gsl_blas_ddot(residual, residual, &fit->sum_of_squares);
	fit->found = is_min(residual, jacobian) &&
		     gsl_multifit_nlinear_covar(jacobian, 0, covariance) == GSL_SUCCESS;
	for (i = 0; i < PARAMETERS && fit->found; i++) {
		if (!fit->is_free[i])
			continue;
		fit->half_widths[i] = t * sqrt(fit->sum_of_squares / degrees *
					       gsl_matrix_get(covariance, next, next));
		next++;
	}
	gsl_matrix_free(covariance);
	return 0;
}

/* Fit the parameters that are free. Return 0 or -ENOMEM. */
static int solve(struct fit *fit)
{
	enum { ITERATIONS = 500 };
	const double tiny = 1e-14;
	size_t free_count = 1u + fit->is_free[ALPHA] + fit->is_free[BETA];
	gsl_multifit_nlinear_parameters parameters = gsl_multifit_nlinear_default_parameters();
	gsl_multifit_nlinear_fdf system = {
		.f = residuals,
		.df = derivatives,
		.n = fit->data->count,
		.p = free_count,
		.params = fit,
	};
	gsl_multifit_nlinear_workspace *solver = gsl_multifit_nlinear_alloc(
		gsl_multifit_nlinear_trust, &parameters, system.n, system.p);
	double start[PARAMETERS] = {0}, packed[PARAMETERS];
	gsl_vector_view view = gsl_vector_view_array(packed, free_count);
	size_t next = 0, i;
	int rc, info;

	if (solver == NULL)
		return -ENOMEM;
	find_start(fit, start);
	for (i = 0; i < PARAMETERS; i++)
		if (fit->is_free[i])
			packed[next++] = start[i];
	gsl_multifit_nlinear_init(&view.vector, &system, solver);
	gsl_multifit_nlinear_driver(ITERATIONS, tiny, tiny, 0, NULL, NULL, &info, solver);
	rc = take(fit, solver);
	gsl_multifit_nlinear_free(solver);
	return rc;
}

static bool is_feasible(const struct fit *fit)
{
	return fit->found && fit->values[ALPHA] >= 0 && fit->values[BETA] >= 0 &&
	       fit->values[GAMMA] > 0;
}

/* Find the best fit in which alpha, beta or both are 0. `best` is the fit of
 * all parameters, and is replaced. */
static int solve_at_the_edge(struct fit *best)
{
	static const bool edges[][2] = {{true, false}, {false, true}, {false, false}};
	const struct fit whole = *best;
	size_t i;
	int rc = 0;

	best->found = false;
	for (i = 0; i < sizeof(edges) / sizeof(edges[0]) && rc == 0; i++) {
		struct fit fit = {
			.data = whole.data,
			.is_free = {edges[i][ALPHA], edges[i][BETA], true},
		};
		size_t j;

		rc = solve(&fit);
		if (rc < 0 || !is_feasible(&fit) ||
		    (best->found && fit.sum_of_squares >= best->sum_of_squares))
			continue;
		*best = fit;
		for (j = 0; j < GAMMA; j++)
			if (!fit.is_free[j])
				best->half_widths[j] = fmax(0,
							    whole.values[j] + whole.half_widths[j]);
	}
	return rc;
}

static struct result_estimate estimate(const struct fit *fit, size_t which, double scale)
{
	double value = fit->values[which], half = fit->half_widths[which];

	return (struct result_estimate){
		.value = value * scale,
		.low = fmax(0, value - half) * scale,
		.high = (value + half) * scale,
	};
}

/* Check if the interval of an estimate is narrow enough (USL_SHARE_MAX), after
 * multiplying both with `weight`. */
static bool is_narrow(const struct result_estimate *parameter, double weight)
{
	return (parameter->high - parameter->low) * weight <=
	       USL_SHARE_MAX * (1 + parameter->value * weight);
}

/* Check if the fit is close to the points near the peak. */
static bool is_close(const struct fit *fit)
{
	const struct observations *data = fit->data;
	size_t i;

	for (i = 0; i < data->count; i++) {
		double rate = data->rates[i];

		if (rate >= USL_NEAR_PEAK &&
		    fabs(law(fit->values, data->users[i]) - rate) > USL_MISS_MAX * rate)
			return false;
	}
	return true;
}

/*
 * Check that the points are not further from the fit than the repeats are from
 * their means, apart from chance: an F test for lack of fit. Without repeats, or
 * if all of them are equal, the noise is unknown.
 */
static bool is_within_noise(const struct fit *fit)
{
	const struct observations *data = fit->data;
	double misses = 0, degrees = (double)data->count, noise;
	const double rounding = 1e-24;
	size_t i;

	if (!(data->within > rounding))
		return true;
	for (i = 0; i < PARAMETERS; i++)
		degrees -= fit->is_free[i];
	for (i = 0; i < data->count; i++)
		misses += data->weights[i] *
			  pow(law(fit->values, data->users[i]) - data->rates[i], 2);
	noise = data->within / (double)data->within_degrees;
	return gsl_cdf_fdist_Q(misses / degrees / noise, degrees, (double)data->within_degrees) >=
	       USL_LACK_OF_FIT;
}

/*
 * Check if all intervals are narrow enough. With N users the law divides by
 * 1 + (N - 1) (alpha + beta N), so beta has a weight of N.
 */
static bool is_precise(const struct result_usl *usl, double max_users)
{
	return is_narrow(&usl->alpha, 1) && is_narrow(&usl->beta, max_users) &&
	       usl->gamma.high - usl->gamma.low <= USL_GAMMA_MAX * usl->gamma.value;
}

static int fit_observations(const struct observations *data, struct result_usl *usl)
{
	struct fit fit = {.data = data, .is_free = {true, true, true}};
	int rc = solve(&fit);
	double peak;

	if (rc == 0 && fit.found && !is_feasible(&fit))
		rc = solve_at_the_edge(&fit);
	if (rc < 0 || !is_feasible(&fit))
		return rc;
	usl->alpha = estimate(&fit, ALPHA, 1);
	usl->beta = estimate(&fit, BETA, 1);
	usl->gamma = estimate(&fit, GAMMA, data->greatest_rate);
	if (!is_precise(usl, data->max_users) || !is_close(&fit) || !is_within_noise(&fit))
		return 0;
	usl->fitted = true;
	peak = sqrt((1 - usl->alpha.value) / usl->beta.value);
	if (peak >= data->min_users && peak <= data->max_users)
		usl->peak_users = peak;
	return 0;
}

static double rate_of(const struct result_repeat *repeat)
{
	return record_count(records_total(&repeat->records), FIGURE_MB_PER_S);
}

/* Add a point, unless it has no valid repeat. */
static void add_point(const struct result_point *point, struct observations *data)
{
	double sum = 0, mean;
	size_t valid = 0, i;

	for (i = 0; i < point->repeat_count; i++) {
		if (!result_repeat_is_valid(&point->repeats[i]))
			continue;
		sum += rate_of(&point->repeats[i]);
		valid++;
	}
	if (valid == 0)
		return;
	mean = sum / (double)valid;
	for (i = 0; i < point->repeat_count; i++)
		if (result_repeat_is_valid(&point->repeats[i]))
			data->within += pow(rate_of(&point->repeats[i]) - mean, 2);
	data->within_degrees += valid - 1;
	data->users[data->count] = point->users;
	data->rates[data->count] = mean;
	data->weights[data->count++] = (double)valid;
	data->min_users = fmin(data->min_users, point->users);
	data->max_users = fmax(data->max_users, point->users);
	data->greatest_rate = fmax(data->greatest_rate, mean);
}

static int collect(const struct result *result, struct observations *data)
{
	size_t count = result->point_count + 1, i;

	*data = (struct observations){
		.users = calloc(count, sizeof(*data->users)),
		.rates = calloc(count, sizeof(*data->rates)),
		.weights = calloc(count, sizeof(*data->weights)),
		.min_users = INFINITY,
	};
	if (data->users == NULL || data->rates == NULL || data->weights == NULL)
		return -ENOMEM;
	for (i = 0; i < result->point_count; i++)
		add_point(&result->points[i], data);
	if (!(data->greatest_rate > 0))
		return 0;
	for (i = 0; i < data->count; i++)
		data->rates[i] /= data->greatest_rate;
	data->within /= data->greatest_rate * data->greatest_rate;
	return 0;
}

int usl_fit(const struct result *result, struct result_usl *usl)
{
	/* Replace GSL's default handler, which aborts the program if memory is
	 * short. */
	gsl_error_handler_t *handler = gsl_set_error_handler_off();
	struct observations data;
	int rc = collect(result, &data);

	*usl = (struct result_usl){.peak_users = NAN};
	if (rc == 0 && data.count >= USL_MIN_POINTS && data.greatest_rate > 0)
		rc = fit_observations(&data, usl);
	free(data.users);
	free(data.rates);
	free(data.weights);
	gsl_set_error_handler(handler);
	return rc;
}

double usl_at(const struct result_usl *usl, double users)
{
	const double values[PARAMETERS] = {
		[ALPHA] = usl->alpha.value,
		[BETA] = usl->beta.value,
		[GAMMA] = usl->gamma.value,
	};

	return law(values, users);
}
