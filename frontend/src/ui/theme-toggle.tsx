import { Hint } from './hint';
import { ThemeSwitch, useOtherScheme } from './theme-switch';

/** Light or dark, with a hint. */
export function ThemeToggle() {
  const { label } = useOtherScheme();
  return (
    <Hint title={label}>
      <ThemeSwitch />
    </Hint>
  );
}
