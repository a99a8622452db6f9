/** Bytes of a kilobyte and of a megabyte, as limits and sizes count them. */
export const KB = 1024;
export const MB = 1024 * KB;
