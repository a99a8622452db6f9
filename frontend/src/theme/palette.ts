/**
 * All colours of both schemes. Surfaces have three levels: base, panel, raised.
 */
export interface Tone {
  /** Colour of text and icons, with WCAG AA contrast on all three surfaces. */
  main: string;
  /** Background behind text in the colour `main`. */
  soft: string;
}

export type ToneName = 'success' | 'info' | 'warning' | 'error' | 'bounced' | 'neutral';

export interface Surface {
  base: string;
  panel: string;
  raised: string;
  /** The sidebar's background. */
  sidebar: string;
}

declare module '@mui/material/styles' {
  interface Palette {
    surface: Surface;
    tone: Record<ToneName, Tone>;
    accentSoft: string;
    /** Borders of fields and outlined buttons, with 3:1 contrast on every surface. */
    controlBorder: string;
    /** The shadow of menus and dialogs. */
    shadow: string;
  }
  interface PaletteOptions {
    surface?: Surface;
    tone?: Record<ToneName, Tone>;
    accentSoft?: string;
    controlBorder?: string;
    shadow?: string;
  }
}

const wash = (rgb: string, alpha: number) => `rgba(${rgb}, ${alpha})`;

export const dark = {
  surface: { base: '#111414', panel: '#181c1c', raised: '#222828', sidebar: '#0c0f0f' },
  /** Lines around panels and rows. */
  divider: '#2c3333',
  controlBorder: '#6f7a77',
  text: { primary: '#e9e7e1', secondary: '#a7afab', disabled: '#7b8480' },
  accent: { main: '#54cfc4', light: '#8be3da', dark: '#37aea4', contrastText: '#06201e' },
  accentSoft: wash('84, 207, 196', 0.13),
  /** The shadow of menus and dialogs. */
  shadow: '0 18px 44px -12px rgba(0, 0, 0, 0.55)',
  tone: {
    success: { main: '#96d172', soft: wash('150, 209, 114', 0.13) },
    info: { main: '#86bbf5', soft: wash('134, 187, 245', 0.14) },
    warning: { main: '#ecb95f', soft: wash('236, 185, 95', 0.13) },
    error: { main: '#f68f84', soft: wash('246, 143, 132', 0.14) },
    bounced: { main: '#e7a0d2', soft: wash('231, 160, 210', 0.14) },
    neutral: { main: '#a7afab', soft: wash('167, 175, 171', 0.13) },
  },
  /** Background of a destructive button under the pointer, with the same text contrast. */
  errorHover: '#dd7a70',
};

export const light: typeof dark = {
  surface: { base: '#f5f3ee', panel: '#ffffff', raised: '#ebe8e0', sidebar: '#eeebe4' },
  divider: '#ddd9cf',
  controlBorder: '#7d847f',
  text: { primary: '#1b2220', secondary: '#535c58', disabled: '#878e8a' },
  accent: { main: '#0a6767', light: '#2d8c8a', dark: '#074c4d', contrastText: '#ffffff' },
  accentSoft: wash('10, 103, 103', 0.09),
  shadow: '0 18px 44px -16px rgba(27, 34, 32, 0.3)',
  tone: {
    success: { main: '#2d691b', soft: wash('45, 105, 27', 0.1) },
    info: { main: '#1c5a9f', soft: wash('28, 90, 159', 0.09) },
    warning: { main: '#7a4f08', soft: wash('160, 105, 10', 0.13) },
    error: { main: '#a9241c', soft: wash('169, 36, 28', 0.08) },
    bounced: { main: '#8d2b72', soft: wash('141, 43, 114', 0.09) },
    neutral: { main: '#535c58', soft: wash('83, 92, 88', 0.1) },
  },
  errorHover: '#7e1a14',
};

/** One scheme in the shape MUI expects. */
export function toPalette(scheme: typeof dark) {
  const { surface, divider, controlBorder, text, accent, accentSoft, shadow, tone, errorHover } = scheme;
  const on = { contrastText: accent.contrastText };
  return {
    surface,
    tone,
    accentSoft,
    controlBorder,
    shadow,
    text,
    divider,
    DataGrid: { bg: surface.panel, headerBg: surface.panel, pinnedBg: surface.panel },
    background: { default: surface.base, paper: surface.panel },
    primary: accent,
    secondary: { main: text.secondary, contrastText: surface.panel },
    success: { main: tone.success.main, ...on },
    info: { main: tone.info.main, ...on },
    warning: { main: tone.warning.main, ...on },
    error: { main: tone.error.main, dark: errorHover, ...on },
  };
}
