/** Sizes that the signed-in layout shares with its placeholder. */
export const SIDEBAR_WIDTH = '16rem';
export const COLLAPSED_WIDTH = '3rem';
/** Height in pixels. */
export const HEADER_HEIGHT_PX = 56;
export const MAIN_PADDING = { px: { xs: 2, md: 4 }, py: { xs: 2.5, md: 4 } } as const;
