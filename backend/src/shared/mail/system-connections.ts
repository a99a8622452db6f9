/** Connections that system mail keeps to a mail server, of its own, so that it never waits behind bulk. */
export const SYSTEM_CONNECTIONS = 3;
