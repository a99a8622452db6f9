/**
 * The colours of both schemes, and nothing else: every colour of the product is named here.
 * Surfaces come in three steps (base, panel, raised); statuses differ in colour, icon and word.
 */
export interface Tone {
  /** Text and icons, AA on all three surfaces. */
  main: string;
  /** A wash of it behind text of `main`. */
  soft: string;
}

export type ToneName = 'good' | 'running' | 'waiting' | 'bad' | 'bounced' | 'quiet';

export interface Surface {
  base: string;
  panel: string;
  raised: string;
  /** Behind the sidebar. */
  rail: string;
  /** Lines around panels and rows. */
  line: string;
  /** Edges of fields and outlined buttons: 3:1 against every surface. */
  edge: string;
}

declare module '@mui/material/styles' {
  interface Palette {
    surface: Surface;
    tone: Record<ToneName, Tone>;
    accentSoft: string;
    lift: string;
  }
  interface PaletteOptions {
    surface?: Surface;
    tone?: Record<ToneName, Tone>;
    accentSoft?: string;
    lift?: string;
  }
}

const wash = (rgb: string, alpha: number) => `rgba(${rgb}, ${alpha})`;

export const dark = {
  surface: { base: '#111414', panel: '#181c1c', raised: '#222828', rail: '#0c0f0f', line: '#2c3333', edge: '#6f7a77' },
  text: { primary: '#e9e7e1', secondary: '#a7afab', disabled: '#7b8480' },
  accent: { main: '#54cfc4', light: '#8be3da', dark: '#37aea4', contrastText: '#06201e' },
  accentSoft: wash('84, 207, 196', 0.13),
  /** The shadow of what floats. */
  lift: '0 18px 44px -12px rgba(0, 0, 0, 0.55)',
  tone: {
    good: { main: '#96d172', soft: wash('150, 209, 114', 0.13) },
    running: { main: '#86bbf5', soft: wash('134, 187, 245', 0.14) },
    waiting: { main: '#ecb95f', soft: wash('236, 185, 95', 0.13) },
    bad: { main: '#f68f84', soft: wash('246, 143, 132', 0.14) },
    bounced: { main: '#e7a0d2', soft: wash('231, 160, 210', 0.14) },
    quiet: { main: '#a7afab', soft: wash('167, 175, 171', 0.13) },
  },
  /** A destructive button under the pointer: text on it reads as before. */
  badPressed: '#dd7a70',
};

export const light: typeof dark = {
  surface: { base: '#f5f3ee', panel: '#ffffff', raised: '#ebe8e0', rail: '#eeebe4', line: '#ddd9cf', edge: '#7d847f' },
  text: { primary: '#1b2220', secondary: '#535c58', disabled: '#878e8a' },
  accent: { main: '#0a6767', light: '#2d8c8a', dark: '#074c4d', contrastText: '#ffffff' },
  accentSoft: wash('10, 103, 103', 0.09),
  lift: '0 18px 44px -16px rgba(27, 34, 32, 0.3)',
  tone: {
    good: { main: '#2d691b', soft: wash('45, 105, 27', 0.1) },
    running: { main: '#1c5a9f', soft: wash('28, 90, 159', 0.09) },
    waiting: { main: '#7a4f08', soft: wash('160, 105, 10', 0.13) },
    bad: { main: '#a9241c', soft: wash('169, 36, 28', 0.08) },
    bounced: { main: '#8d2b72', soft: wash('141, 43, 114', 0.09) },
    quiet: { main: '#535c58', soft: wash('83, 92, 88', 0.1) },
  },
  badPressed: '#7e1a14',
};

/** One scheme in the shape MUI expects. */
export function toPalette(scheme: typeof dark) {
  const { surface, text, accent, accentSoft, lift, tone, badPressed } = scheme;
  const on = { contrastText: accent.contrastText };
  return {
    surface,
    tone,
    accentSoft,
    lift,
    text,
    divider: surface.line,
    DataGrid: { bg: surface.panel, headerBg: surface.panel, pinnedBg: surface.panel },
    background: { default: surface.base, paper: surface.panel },
    primary: accent,
    secondary: { main: text.secondary, contrastText: surface.panel },
    success: { main: tone.good.main, ...on },
    info: { main: tone.running.main, ...on },
    warning: { main: tone.waiting.main, ...on },
    error: { main: tone.bad.main, dark: badPressed, ...on },
  };
}
