/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "smb2client/kerberos.h"

#include <errno.h>

#ifndef HAVE_GSSAPI
#define HAVE_GSSAPI 0
#endif

#if HAVE_GSSAPI

#include <dlfcn.h>
#include <gssapi/gssapi.h>
#include <gssapi/gssapi_ext.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SERVICE_MAX = 1024 };

/* 1.3.6.1.5.5.2, SPNEGO (RFC 4178) */
static gss_OID_desc spnego = {6, "\x2b\x06\x01\x05\x05\x02"};
/* 1.2.840.113554.1.2.1.4, names such as cifs@HOST (RFC 2743) */
static gss_OID_desc service_name = {10, "\x2a\x86\x48\x86\xf7\x12\x01\x02\x01\x04"};
/* 1.2.840.113554.1.2.2.5.5, GSS_C_INQ_SSPI_SESSION_KEY */
static gss_OID_desc session_key = {11, "\x2a\x86\x48\x86\xf7\x12\x01\x02\x02\x05"
				       "\x05"};

/* The functions of the library. */
#define FUNCTIONS(X) \
	X(gss_delete_sec_context) \
	X(gss_import_name) \
	X(gss_init_sec_context) \
	X(gss_inquire_sec_context_by_oid) \
	X(gss_release_buffer) \
	X(gss_release_buffer_set) \
	X(gss_release_name)

struct smb2_kerberos {
#define X(name) __typeof__(name) *name;
	FUNCTIONS(X)
#undef X
	gss_name_t server;
	gss_ctx_id_t context;
	gss_buffer_desc token;
};

static int load(struct smb2_kerberos *kerberos)
{
	/* Never unload the library: it may have left handlers. */
	void *library = dlopen("libgssapi_krb5.so.2", RTLD_NOW | RTLD_LOCAL);

	if (library == NULL)
		return -EOPNOTSUPP;
#define X(name) \
	*(void **)&kerberos->name = dlsym(library, #name); \
	if (kerberos->name == NULL) \
		return -EOPNOTSUPP;
	FUNCTIONS(X)
#undef X
	return 0;
}

int smb2_kerberos_start(const char *host, struct smb2_kerberos **kerberos)
{
	char text[SERVICE_MAX];
	gss_buffer_desc name = {.value = text};
	struct smb2_kerberos *new = calloc(1, sizeof(*new));
	OM_uint32 minor;
	int rc;

	*kerberos = NULL;
	if (new == NULL)
		return -ENOMEM;
	rc = load(new);
	if (rc < 0) {
		free(new);
		return rc;
	}
	*kerberos = new;
	rc = snprintf(text, sizeof(text), "cifs@%s", host);
	if (rc >= (int)sizeof(text))
		return -EACCES;
	name.length = (size_t)rc;
	return new->gss_import_name(&minor, &name, &service_name, &new->server) == GSS_S_COMPLETE
		       ? 0
		       : -EACCES;
}

int smb2_kerberos_step(struct smb2_kerberos *kerberos, const uint8_t *in, size_t in_bytes,
		       const uint8_t **token, size_t *bytes)
{
	gss_buffer_desc input = {in_bytes, (void *)(uintptr_t)in};
	OM_uint32 major, minor, flags = 0;
	const OM_uint32 wanted = GSS_C_MUTUAL_FLAG;

	kerberos->gss_release_buffer(&minor, &kerberos->token);
	major = kerberos->gss_init_sec_context(
		&minor, GSS_C_NO_CREDENTIAL, &kerberos->context, kerberos->server, &spnego, wanted,
		0, GSS_C_NO_CHANNEL_BINDINGS, &input, NULL, &kerberos->token, &flags, NULL);
	*token = kerberos->token.value;
	*bytes = kerberos->token.length;
	if (major == GSS_S_CONTINUE_NEEDED)
		return 1;
	if (major != GSS_S_COMPLETE || (flags & wanted) == 0)
		return -EACCES;
	return 0;
}

int smb2_kerberos_key(struct smb2_kerberos *kerberos, uint8_t key[SMB2_KERBEROS_KEY_MAX])
{
	gss_buffer_set_t set = GSS_C_NO_BUFFER_SET;
	OM_uint32 minor;
	int size = -EACCES;

	if (kerberos->gss_inquire_sec_context_by_oid(&minor, kerberos->context, &session_key,
						     &set) != GSS_S_COMPLETE)
		return -EACCES;
	/* The first element is the key, the second its type. */
	if (set->count > 0 && set->elements[0].length > 0 &&
	    set->elements[0].length <= SMB2_KERBEROS_KEY_MAX) {
		size = (int)set->elements[0].length;
		memcpy(key, set->elements[0].value, (size_t)size);
	}
	kerberos->gss_release_buffer_set(&minor, &set);
	return size;
}

void smb2_kerberos_end(struct smb2_kerberos *kerberos)
{
	OM_uint32 minor;

	if (kerberos == NULL)
		return;
	kerberos->gss_release_buffer(&minor, &kerberos->token);
	if (kerberos->context != GSS_C_NO_CONTEXT)
		kerberos->gss_delete_sec_context(&minor, &kerberos->context, GSS_C_NO_BUFFER);
	if (kerberos->server != GSS_C_NO_NAME)
		kerberos->gss_release_name(&minor, &kerberos->server);
	free(kerberos);
}

#else

int smb2_kerberos_start(const char *host, struct smb2_kerberos **kerberos)
{
	*kerberos = NULL;
	return -EOPNOTSUPP;
}

int smb2_kerberos_step(struct smb2_kerberos *kerberos, const uint8_t *in, size_t in_bytes,
		       const uint8_t **token, size_t *bytes)
{
	return -EOPNOTSUPP;
}

int smb2_kerberos_key(struct smb2_kerberos *kerberos, uint8_t key[SMB2_KERBEROS_KEY_MAX])
{
	return -EOPNOTSUPP;
}

void smb2_kerberos_end(struct smb2_kerberos *kerberos)
{
}

#endif
