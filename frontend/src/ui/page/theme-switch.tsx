import IconButton, { type IconButtonProps } from '@mui/material/IconButton';
import { useColorScheme } from '@mui/material/styles';
import { IconMoon, IconSun } from '../icons';
import { useIsHydrated } from '../use-is-hydrated';

/** The colour scheme that is not active, with a label that names it. */
export function useOtherScheme() {
  const { colorScheme, setMode } = useColorScheme();
  // Prerendered HTML always has the default scheme.
  const isDark = !useIsHydrated() || colorScheme !== 'light';
  return {
    isDark,
    label: isDark ? 'Switch to light theme' : 'Switch to dark theme',
    toggle: () => setMode(isDark ? 'light' : 'dark'),
  };
}

/** Switches between light and dark. Without a tooltip, so that public pages stay small. */
export function ThemeSwitch(props: IconButtonProps) {
  const { isDark, label, toggle } = useOtherScheme();
  return (
    <IconButton {...props} aria-label={label} onClick={toggle}>
      {isDark ? <IconSun size={18} aria-hidden /> : <IconMoon size={18} aria-hidden />}
    </IconButton>
  );
}
