import Box from '@mui/material/Box';
import { writingColors } from '../../../theme/writing-colors';

type SwatchProps =
  | { kind: 'ink'; hue: keyof typeof writingColors.light.ink }
  | { kind: 'tint'; hue: keyof typeof writingColors.light.tint }
  | { kind?: undefined; hue?: undefined };

const colorOf = ({ kind, hue }: SwatchProps, scheme: 'light' | 'dark') =>
  kind === 'ink' ? writingColors[scheme].ink[hue] : kind === 'tint' ? writingColors[scheme].tint[hue] : 'text.primary';

/** A colour with its name. */
export function Swatch(props: SwatchProps) {
  return (
    <Box
      aria-hidden
      sx={[
        {
          width: 14,
          height: 14,
          flexShrink: 0,
          border: 1,
          borderColor: 'controlBorder',
          bgcolor: colorOf(props, 'light'),
        },
        { borderRadius: props.kind === 'tint' ? 0.5 : '50%' },
        (theme) => theme.applyStyles('dark', { backgroundColor: props.kind ? colorOf(props, 'dark') : undefined }),
      ]}
    />
  );
}
