/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The list of --hosts.
 */
#include "hosts/hosts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void hosts_free_list(char **list)
{
	size_t i;

	for (i = 0; list != NULL && list[i] != NULL; i++)
		free(list[i]);
	free(list);
}

/* Check the name of a host: a launcher must not take it for an option. */
static int check_name(const char *name, struct error *error)
{
	const char *at = name;

	while ((unsigned char)*at > ' ' && *at != 0x7f)
		at++;
	if (name[0] != '\0' && name[0] != '-' && *at == '\0')
		return 0;
	error_set(error, "--hosts: \"%s\" is not the name of a host", name);
	return -EINVAL;
}

static int add_host(char ***list, size_t *count, const char *name, struct error *error)
{
	size_t i;
	char **longer;

	if (check_name(name, error) < 0)
		return -EINVAL;
	for (i = 0; i < *count; i++)
		if (strcmp((*list)[i], name) == 0)
			error_set(error, "--hosts: \"%s\" is given twice", name);
	if (*count == HOSTS_MAX)
		error_set(error, "--hosts: more than %d hosts", HOSTS_MAX);
	if (error->set)
		return -EINVAL;
	longer = reallocarray(*list, *count + 2, sizeof(*longer));
	if (longer == NULL)
		return error_no_memory(error);
	*list = longer;
	longer[*count] = strdup(name);
	longer[*count + 1] = NULL;
	return longer[(*count)++] != NULL ? 0 : error_no_memory(error);
}

/* Read a file with a host per line, and # comments. */
static int read_hosts(const char *path, char ***list, size_t *count, struct error *error)
{
	FILE *file = fopen(path, "re");
	char *line = NULL;
	size_t room = 0;
	int rc = 0;

	if (file == NULL) {
		error_set(error, "--hosts: cannot open \"%s\": %s", path, strerror(errno));
		return -errno;
	}
	while (rc == 0 && getline(&line, &room, file) >= 0) {
		char *name = line + strspn(line, " \t");

		name[strcspn(name, " \t\r\n#")] = '\0';
		if (name[0] != '\0')
			rc = add_host(list, count, name, error);
	}
	free(line);
	fclose(file);
	return rc;
}

/* Read the hosts of the Slurm job that we are in. */
static int read_job(char ***list, size_t *count, struct error *error)
{
	FILE *pipe;
	char *line = NULL;
	size_t room = 0;
	int rc = 0;

	if (getenv("SLURM_JOB_NODELIST") == NULL) {
		error_set(error,
			  "--hosts slurm: this is not a job of Slurm (no SLURM_JOB_NODELIST)");
		return -EINVAL;
	}
	pipe = popen("scontrol show hostnames \"$SLURM_JOB_NODELIST\" </dev/null", "re");
	while (pipe != NULL && rc == 0 && getline(&line, &room, pipe) >= 0) {
		line[strcspn(line, "\r\n")] = '\0';
		rc = add_host(list, count, line, error);
	}
	free(line);
	if (pipe == NULL || pclose(pipe) != 0)
		error_set(error, "--hosts slurm: the command `scontrol show hostnames` failed");
	return error->set ? -EINVAL : rc;
}

char **hosts_parse(const char *text, struct error *error)
{
	char **list = NULL, *copy = strdup(text), *next = copy, *name;
	size_t count = 0;
	int rc = 0;

	if (copy == NULL)
		rc = error_no_memory(error);
	else if (strcmp(text, "slurm") == 0)
		rc = read_job(&list, &count, error);
	else if (text[0] == '@')
		rc = read_hosts(text + 1, &list, &count, error);
	else
		while (rc == 0 && (name = strsep(&next, ",")) != NULL)
			rc = add_host(&list, &count, name, error);
	if (rc == 0 && count == 0) {
		error_set(error,
			  "--hosts: \"%s\" names no host; expected HOST,HOST,..., @FILE or slurm",
			  text);
		rc = -EINVAL;
	}
	free(copy);
	if (rc == 0)
		return list;
	hosts_free_list(list);
	return NULL;
}
