import type { Components, CssVarsTheme, Theme } from '@mui/material/styles';
import { FINGER_PX, forFingers, ON_TOUCH } from '../touch';

type ThemeOfParts = Omit<Theme, 'components' | 'palette'> & CssVarsTheme;
type Parts = Components<ThemeOfParts>;

/** Draws the focus ring around the visible part of a control, because the control's own input is invisible. */
const focusRing = (theme: ThemeOfParts, offset: number) => ({
  outline: `2px solid ${theme.vars.palette.primary.main}`,
  outlineOffset: offset,
});

/** Form controls: labels above the field, borders with 3:1 contrast, and 16 px text under 768 px, so that phones do not zoom. */
export const inputs: Parts = {
  MuiTextField: { defaultProps: { variant: 'outlined', fullWidth: true, size: 'small' } },
  MuiFormControl: { defaultProps: { size: 'small' } },
  MuiInputLabel: {
    defaultProps: { shrink: true, required: false },
    styleOverrides: {
      root: ({ theme }) => ({
        position: 'static',
        transform: 'none',
        fontSize: '0.8125rem',
        fontWeight: 580,
        lineHeight: 1.4,
        marginBottom: 6,
        maxWidth: 'none',
        color: theme.vars.palette.text.primary,
        pointerEvents: 'auto',
        '&.Mui-focused': { color: theme.vars.palette.text.primary },
        '&.Mui-error': { color: theme.vars.palette.text.primary },
        '&.Mui-disabled': { color: theme.vars.palette.text.secondary },
      }),
    },
  },
  MuiOutlinedInput: {
    defaultProps: { notched: false },
    styleOverrides: {
      root: ({ theme }) => ({
        borderRadius: 8,
        backgroundColor: theme.vars.palette.surface.base,
        fontSize: '0.9375rem',
        [theme.breakpoints.down('md')]: { fontSize: '1rem' },
        '&:hover:not(.Mui-disabled, .Mui-error, .Mui-focused) .MuiOutlinedInput-notchedOutline': {
          borderColor: theme.vars.palette.text.secondary,
        },
        '&.Mui-focused .MuiOutlinedInput-notchedOutline': { borderWidth: 2 },
        '&.Mui-disabled': { backgroundColor: theme.vars.palette.surface.raised },
        ...forFingers,
      }),
      notchedOutline: ({ theme }) => ({
        borderColor: theme.vars.palette.controlBorder,
        top: 0,
        '& legend': { display: 'none' },
      }),
      input: { paddingBlock: 9, height: 'auto', lineHeight: 1.45, '&:focus-visible': { outline: 'none' } },
      multiline: { padding: '9px 14px', '& .MuiInputBase-inputMultiline': { padding: 0 } },
    },
  },
  MuiAutocomplete: {
    styleOverrides: {
      // Its buttons, which are as large as a finger, must not cover the text.
      root: {
        [ON_TOUCH]: { '& .MuiAutocomplete-inputRoot.MuiInputBase-root': { paddingRight: 2 * FINGER_PX + 12 } },
      },
    },
  },
  MuiInputBase: {
    styleOverrides: { input: { '&::placeholder': { opacity: 0.75 }, '&:focus-visible': { outline: 'none' } } },
  },
  MuiFormHelperText: {
    styleOverrides: { root: { marginInline: 0, marginTop: 5, fontSize: '0.8125rem', lineHeight: 1.4 } },
  },
  MuiSelect: { styleOverrides: { select: { paddingBlock: 9, '&:focus-visible': { outline: 'none' } } } },
  MuiFormControlLabel: { styleOverrides: { root: forFingers } },
  MuiCheckbox: {
    defaultProps: { size: 'small' },
    styleOverrides: {
      root: ({ theme }) => ({
        color: theme.vars.palette.controlBorder,
        padding: 7,
        '&.Mui-focusVisible': focusRing(theme, -3),
      }),
    },
  },
  MuiRadio: {
    defaultProps: { size: 'small' },
    styleOverrides: {
      root: ({ theme }) => ({
        color: theme.vars.palette.controlBorder,
        padding: 7,
        '&.Mui-focusVisible': focusRing(theme, -3),
      }),
    },
  },
  MuiSwitch: {
    styleOverrides: {
      switchBase: ({ theme }) => ({ '&.Mui-focusVisible + .MuiSwitch-track': focusRing(theme, 2) }),
    },
  },
};
