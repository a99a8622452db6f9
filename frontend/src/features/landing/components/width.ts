/** The column that every part of the page stands in. */
export const WIDTH = { width: '100%', maxWidth: 1224, mx: 'auto', px: { xs: 2, md: 4 } } as const;
