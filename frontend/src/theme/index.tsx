import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import './fallback-fonts.css';
import { createTheme, ThemeProvider } from '@mui/material/styles';
import type { ReactNode } from 'react';
import { actions } from './customizations/actions';
import { data } from './customizations/data';
import { feedback } from './customizations/feedback';
import { foundation } from './customizations/foundation';
import { inputs } from './customizations/inputs';
import { dark, light, toPalette } from './palette';
import { typography } from './typography';

/** localStorage key of the colour scheme: 'light' or 'dark'. public/theme-init.js reads it before the first paint. */
const THEME_STORAGE_KEY = 'theme';

/** Both colour schemes in one style sheet; the document's `data-theme` selects one. */
export const theme = createTheme({
  cssVariables: { colorSchemeSelector: 'data-theme', cssVarPrefix: 'sc' },
  defaultColorScheme: 'dark',
  colorSchemes: { light: { palette: toPalette(light) }, dark: { palette: toPalette(dark) } },
  typography,
  shape: { borderRadius: 4 },
  breakpoints: { values: { xs: 0, sm: 600, md: 768, lg: 1100, xl: 1440 } },
  motion: { reducedMotion: 'system' },
  components: { ...foundation, ...actions, ...inputs, ...feedback, ...data },
});

/** Provides the theme. The colour scheme is dark until the person chooses. */
export const AppTheme = ({ children }: { children: ReactNode }) => (
  <ThemeProvider theme={theme} defaultMode="dark" modeStorageKey={THEME_STORAGE_KEY} noSsr disableTransitionOnChange>
    {children}
  </ThemeProvider>
);
