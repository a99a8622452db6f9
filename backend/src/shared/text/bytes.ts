/** Number of bytes in a kilobyte and in a megabyte, for all limits and sizes. */
export const KB = 1024;
export const MB = 1024 * KB;
