import { useTheme } from '@mui/material/styles';
import useMediaQuery from '@mui/material/useMediaQuery';

/** Whether the screen is under 768 px: rows then stack their content. */
export const useNarrow = (): boolean => useMediaQuery(useTheme().breakpoints.down('md'), { noSsr: true });
