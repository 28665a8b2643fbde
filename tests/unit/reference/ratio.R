# SPDX-License-Identifier: GPL-3.0-or-later
#
# Rscript ratio.R >ratio.h: the table that tests/unit/ratio holds its
# intervals against, by R's wilcox.test on logarithms. Times and rates are
# rounded, so that the samples in the table are those that R saw.

set.seed(6)
cat("/* SPDX-License-Identifier: GPL-3.0-or-later */\n")
cat("/* Made by ratio.R; not to be edited. */\n\n")
cat("static const struct {\n\tbool paired;\n\tsize_t bases, others;\n",
	"\tdouble alpha;\n\tdouble base[24], other[24];\n",
	"\tdouble ratio, low, high;\n} rows[] = {\n", sep = "")

values <- function(x) {
	text <- paste0("{", paste(sprintf("%.8g", x), collapse = ", "), "},")
	cat(strwrap(text, 70, prefix = "\t "), sep = "\n")
}
row <- function(paired, base, other, alpha) {
	base <- as.numeric(sprintf("%.8g", base))
	other <- as.numeric(sprintf("%.8g", other))
	test <- wilcox.test(log(other), log(base), paired = paired,
		conf.int = TRUE, conf.level = 1 - 2 * alpha, exact = TRUE)
	cat("\t{", if (paired) "true" else "false", ", ", length(base), ", ",
		length(other), ", ", alpha, ",\n", sep = "")
	values(base)
	values(other)
	cat(sprintf("\t %.10g, %.10g, %.10g},\n", exp(test$estimate),
		exp(test$conf.int[1]), exp(test$conf.int[2])))
}
noise <- list(
	function(n) rnorm(n, sd = 0.027),
	function(n) rt(n, df = 2) * 0.02,
	function(n) rexp(n) * 0.03)
for (n in c(6, 7, 9, 10, 15, 20, 24))
	for (f in noise)
		row(TRUE, 1000 * exp(f(n)), 950 * exp(f(n)), 0.025)
for (alpha in c(0.0125, 0.01, 0.005))
	row(TRUE, 1000 * exp(rnorm(12, sd = 0.027)),
		1020 * exp(rnorm(12, sd = 0.027)), alpha)
for (sizes in list(c(4, 4), c(5, 4), c(3, 12), c(6, 7), c(10, 10), c(24, 20)))
	for (f in noise)
		row(FALSE, 1000 * exp(f(sizes[1])), 950 * exp(f(sizes[2])),
			0.025)
cat("};\n")
