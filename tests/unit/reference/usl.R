# SPDX-License-Identifier: GPL-3.0-or-later
#
# Rscript usl.R: print the parameters of the Universal Scalability Law that
# tests/unit/usl.c expects: value, low and high. They are computed by R's
# nonlinear least squares and t quantiles.

fit <- function(name, N, X, start, formula) {
	model <- nls(formula, start = start, algorithm = "port",
		control = nls.control(tol = 1e-9, maxiter = 500))
	found <- summary(model)$coefficients
	t <- qt(0.975, df.residual(model))
	cat(name, "\n")
	print(cbind(value = found[, 1], low = found[, 1] - t * found[, 2],
		high = found[, 1] + t * found[, 2]), digits = 9)
	cat("sum of squares", deviance(model), "\n\n")
	invisible(coef(model))
}
whole <- X ~ g * N / (1 + a * (N - 1) + b * N * (N - 1))
no_b <- X ~ g * N / (1 + a * (N - 1))

# The data set specsdm91 of R's package usl (SPEC SDM91).
N <- c(1, 18, 36, 72, 108, 144, 216)
X <- c(64.9, 995.9, 1652.4, 1853.2, 1828.9, 1775.0, 1702.2)
found <- fit("specsdm91", N, X, list(a = 0.02, b = 1e-4, g = 90), whole)
cat("peak", sqrt((1 - found["a"]) / found["b"]), "\n\n")

# The data set raytracer of the same package. Its beta is negative unless the
# fit sets it to 0.
N <- c(1, 4, 8, 12, 16, 20, 24, 28, 32, 48, 64)
X <- c(20, 78, 130, 170, 190, 200, 210, 230, 260, 280, 310)
fit("raytracer, free", N, X, list(a = 0.05, b = 1e-5, g = 20), whole)
fit("raytracer, beta = 0", N, X, list(a = 0.05, g = 20), no_b)

# Made-up data with three repeats of each point. Their means are fitted.
N <- c(1, 2, 4, 8, 16, 32)
repeats <- c(98, 101, 103, 190, 196, 201, 370, 352, 361, 600, 640, 625, 880, 910,
	870, 1010, 990, 1050)
X <- colMeans(matrix(repeats, 3))
found <- fit("repeats", N, X, list(a = 0.05, b = 1e-4, g = 100), whole)
cat("peak", sqrt((1 - found["a"]) / found["b"]), "\n")
