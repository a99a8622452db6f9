import IconButton from '@mui/material/IconButton';
import { useColorScheme } from '@mui/material/styles';
import { Hint } from './hint';
import { IconMoon, IconSun } from './icons';

/** Light or dark; remembered under `theme`. */
export function ThemeToggle() {
  const { colorScheme, setMode } = useColorScheme();
  const isDark = colorScheme !== 'light';
  const label = isDark ? 'Switch to light theme' : 'Switch to dark theme';
  return (
    <Hint title={label}>
      <IconButton aria-label={label} onClick={() => setMode(isDark ? 'light' : 'dark')}>
        {isDark ? <IconSun size={18} aria-hidden /> : <IconMoon size={18} aria-hidden />}
      </IconButton>
    </Hint>
  );
}
