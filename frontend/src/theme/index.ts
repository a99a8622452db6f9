import { createTheme } from '@mui/material/styles';
import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import { actions } from './customizations/actions';
import { data } from './customizations/data';
import { feedback } from './customizations/feedback';
import { foundation } from './customizations/foundation';
import { inputs } from './customizations/inputs';
import { dark, light, toPalette } from './palette';
import { typography } from './typography';

/** Where the colour scheme is remembered: 'light' or 'dark'. */
export const THEME_STORAGE_KEY = 'theme';

/** Both schemes in one style sheet; `data-theme` on the document chooses. */
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
