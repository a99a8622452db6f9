import type { Components, CssVarsTheme, Theme } from '@mui/material/styles';

type Parts = Components<Omit<Theme, 'components' | 'palette'> & CssVarsTheme>;

/** The document, surfaces and text. */
export const foundation: Parts = {
  MuiCssBaseline: {
    styleOverrides: (theme) => ({
      body: {
        fontFeatureSettings: "'cv11', 'ss03'",
        WebkitFontSmoothing: 'antialiased',
        textRendering: 'optimizeLegibility',
        scrollbarColor: `${theme.vars.palette.controlBorder} transparent`,
      },
      '::selection': {
        backgroundColor: theme.vars.palette.primary.main,
        color: theme.vars.palette.primary.contrastText,
      },
      ':focus-visible': { outline: `2px solid ${theme.vars.palette.primary.main}`, outlineOffset: 2 },
      'main:focus': { outline: 'none' },
      // Tab focuses the chart as a whole; the chart marks single bars only once an arrow key is pressed.
      '.MuiChartsSurface-root:has(:focus-visible)': {
        outline: `2px solid ${theme.vars.palette.primary.main}`,
        outlineOffset: 2,
      },
      // Places toasts below the header, so that the header's buttons stay usable.
      [theme.breakpoints.down('sm')]: { '#toasts .notistack-SnackbarContainer': { top: 62 } },
      'img, svg': { display: 'block' },
      pre: { fontFamily: 'inherit' },
      '@media (prefers-reduced-motion: reduce)': {
        '*, *::before, *::after': {
          animationDuration: '0.01ms !important',
          transitionDuration: '0.01ms !important',
          scrollBehavior: 'auto !important',
        },
      },
    }),
  },
  MuiPaper: {
    defaultProps: { elevation: 0 },
    styleOverrides: { root: { backgroundImage: 'none' } },
    variants: [
      {
        props: { variant: 'outlined' },
        style: ({ theme }) => ({ borderColor: theme.vars.palette.divider, borderRadius: 12 }),
      },
    ],
  },
  MuiTypography: {
    defaultProps: {
      variantMapping: { h5: 'p', h6: 'p', mono: 'span', figure: 'span', subtitle1: 'p', subtitle2: 'p' },
    },
  },
  MuiLink: {
    defaultProps: { underline: 'always' },
    styleOverrides: {
      root: ({ theme }) => ({
        color: theme.vars.palette.primary.main,
        textDecorationColor: 'color-mix(in srgb, currentColor 45%, transparent)',
        textUnderlineOffset: '0.2em',
        fontWeight: 550,
        borderRadius: 3,
        '&:hover': { textDecorationColor: 'currentColor' },
      }),
    },
  },
  MuiDivider: { styleOverrides: { root: ({ theme }) => ({ borderColor: theme.vars.palette.divider }) } },
};
