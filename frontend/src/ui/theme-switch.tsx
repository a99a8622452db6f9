import IconButton, { type IconButtonProps } from '@mui/material/IconButton';
import { useColorScheme } from '@mui/material/styles';
import { IconMoon, IconSun } from './icons';

/** The other scheme, in words. */
export function useOtherScheme() {
  const { colorScheme, setMode } = useColorScheme();
  const isDark = colorScheme !== 'light';
  return { isDark, label: isDark ? 'Switch to light theme' : 'Switch to dark theme', toggle: () => setMode(isDark ? 'light' : 'dark') };
}

/** Light or dark; remembered under `theme`. Without a hint: for pages that must be light. */
export function ThemeSwitch(props: IconButtonProps) {
  const { isDark, label, toggle } = useOtherScheme();
  return (
    <IconButton {...props} aria-label={label} onClick={toggle}>
      {isDark ? <IconSun size={18} aria-hidden /> : <IconMoon size={18} aria-hidden />}
    </IconButton>
  );
}
