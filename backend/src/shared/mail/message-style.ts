/** Colours that a message's text may have, and tints that its table cells may have. */
export const TEXT_COLORS = ['red', 'orange', 'green', 'teal', 'blue', 'purple', 'brown', 'gray'] as const;
export type TextColor = (typeof TEXT_COLORS)[number];
export const CELL_TINTS = ['yellow', 'green', 'blue', 'red', 'purple', 'orange', 'teal', 'gray'] as const;
export type CellTint = (typeof CELL_TINTS)[number];

/** A colour for the light and for the dark colour scheme. */
interface Shade {
  light: string;
  dark: string;
}

/** Text colours. Their contrast is at least 4.5:1 on the message's background and on every tint of the same scheme. */
export const TEXT_SHADES: Record<TextColor, Shade> = {
  red: { light: '#a11a16', dark: '#f6c1bd' },
  orange: { light: '#8a3c00', dark: '#ffc493' },
  green: { light: '#17592b', dark: '#a5e2b2' },
  teal: { light: '#00575a', dark: '#9adfe1' },
  blue: { light: '#0a4bb5', dark: '#aecbfa' },
  purple: { light: '#5c3391', dark: '#dcc4ff' },
  brown: { light: '#5e4038', dark: '#e2c9bb' },
  gray: { light: '#4c5560', dark: '#c3c9d1' },
};

/** Background colours of table cells. */
export const TINT_SHADES: Record<CellTint, Shade> = {
  yellow: { light: '#fff4cc', dark: '#3d3412' },
  green: { light: '#e3f4e6', dark: '#1b3522' },
  blue: { light: '#e2edfd', dark: '#1d2f4b' },
  red: { light: '#fde7e5', dark: '#44221f' },
  purple: { light: '#f0e7fb', dark: '#332548' },
  orange: { light: '#ffeadb', dark: '#402b1a' },
  teal: { light: '#dff3f3', dark: '#153738' },
  gray: { light: '#eef0f2', dark: '#2d3339' },
};

/**
 * CSS of a font. Every layout cell has it, because Outlook does not inherit fonts into tables. It is short, because a
 * hotlist repeats it in each cell.
 */
export const font = (size: number, line: number): string =>
  `font:${size}px/${line}px -apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif`;

export const SHEET: Shade = { light: '#ffffff', dark: '#1e2226' };
export const TEXT: Shade = { light: '#1b1f24', dark: '#e8eaed' };
export const LINK: Shade = { light: '#0b57d0', dark: '#8ab4f8' };
export const BORDER: Shade = { light: '#c9ced6', dark: '#4a515a' };

const rules = (prefix: string, property: string, shades: Record<string, Shade>): string =>
  Object.entries(shades)
    .map(([name, { dark }]) => `.${prefix}-${name}{${property}:${dark}!important}`)
    .join('');

/**
 * CSS rules for the dark colour scheme. A document's HTML holds the light colours as inline styles and names the
 * colours by class.
 */
export const DARK_RULES = `${rules('c', 'color', TEXT_SHADES)}${rules('t', 'background-color', TINT_SHADES)}.cell,.quote,.rule{border-color:${BORDER.dark}!important}.btn a{color:#ffffff!important}`;
