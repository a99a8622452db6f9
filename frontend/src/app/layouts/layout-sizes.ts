/** Measures of the signed-in layout, which its placeholder shares. */
export const SIDEBAR_WIDTH = '16rem';
export const COLLAPSED_WIDTH = '3rem';
/** Height in pixels. */
export const HEADER_HEIGHT_PX = 56;
export const MAIN_PADDING = { px: { xs: 2, md: 4 }, py: { xs: 2.5, md: 4 } } as const;
