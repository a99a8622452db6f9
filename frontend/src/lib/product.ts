/** The product's name, once. */
export const PRODUCT_NAME = 'Staffcast';
/** What it is, under the name in the sidebar. */
export const PRODUCT_SUBTITLE = 'Email Distribution';
