import type { Components, CssVarsTheme, Theme } from '@mui/material/styles';
import { forFingers } from '../touch';

type Parts = Components<Omit<Theme, 'components' | 'palette'> & CssVarsTheme>;

/** Buttons, tabs and menus. */
export const actions: Parts = {
  MuiButtonBase: {
    defaultProps: { disableRipple: true },
    styleOverrides: {
      // MUI removes the outline that the document's style sets.
      root: ({ theme }) => ({
        '&:focus-visible': { outline: `2px solid ${theme.vars.palette.primary.main}`, outlineOffset: 2 },
      }),
    },
  },
  MuiButton: {
    defaultProps: { disableElevation: true },
    styleOverrides: {
      root: ({ theme }) => ({
        borderRadius: 8,
        paddingInline: 14,
        minHeight: 36,
        transition: theme.transitions.create(['background-color', 'border-color', 'color'], { duration: 120 }),
        '&:focus-visible': { outline: `2px solid ${theme.vars.palette.primary.main}`, outlineOffset: 2 },
        ...forFingers,
      }),
      sizeSmall: { minHeight: 30, paddingInline: 10, fontSize: '0.8125rem', ...forFingers },
      sizeLarge: { minHeight: 44, paddingInline: 20, fontSize: '0.9375rem' },
      startIcon: { marginRight: 7 },
    },
    variants: [
      {
        props: { variant: 'outlined', color: 'inherit' },
        style: ({ theme }) => ({
          borderColor: theme.vars.palette.divider,
          backgroundColor: theme.vars.palette.surface.panel,
          '&:hover': {
            borderColor: theme.vars.palette.controlBorder,
            backgroundColor: theme.vars.palette.surface.raised,
          },
        }),
      },
      {
        props: { variant: 'text', color: 'inherit' },
        style: ({ theme }) => ({ '&:hover': { backgroundColor: theme.vars.palette.surface.raised } }),
      },
    ],
  },
  MuiIconButton: {
    styleOverrides: {
      root: ({ theme }) => ({
        borderRadius: 8,
        color: theme.vars.palette.text.secondary,
        '&:hover': { backgroundColor: theme.vars.palette.surface.raised, color: theme.vars.palette.text.primary },
        '&:focus-visible': { outline: `2px solid ${theme.vars.palette.primary.main}`, outlineOffset: 1 },
        ...forFingers,
      }),
      sizeSmall: { padding: 6 },
    },
  },
  MuiToggleButton: { styleOverrides: { root: { '&:focus-visible': { outlineOffset: -2 }, ...forFingers } } },
  MuiTabs: {
    // A disabled scroll arrow takes no space, so that the first tab is aligned with the content.
    styleOverrides: {
      root: { minHeight: 40, '& .MuiTabScrollButton-root.Mui-disabled': { width: 0 } },
      indicator: { height: 2, borderRadius: 2 },
    },
  },
  MuiTab: {
    styleOverrides: {
      root: {
        minHeight: 40,
        minWidth: 0,
        paddingInline: 14,
        fontWeight: 560,
        '&:focus-visible': { outlineOffset: -2 },
        ...forFingers,
      },
    },
  },
  MuiMenu: {
    styleOverrides: {
      paper: ({ theme }) => ({
        border: `1px solid ${theme.vars.palette.divider}`,
        boxShadow: theme.vars.palette.shadow,
        borderRadius: 10,
        minWidth: 168,
      }),
      list: { padding: 5 },
    },
  },
  MuiMenuItem: {
    styleOverrides: {
      root: ({ theme }) => ({
        borderRadius: 6,
        fontSize: '0.875rem',
        gap: 10,
        minHeight: 36,
        '&:hover, &.Mui-focusVisible': { backgroundColor: theme.vars.palette.surface.raised },
        '&:focus-visible': { outlineOffset: -2 },
        '&.Mui-selected, &.Mui-selected:hover': { backgroundColor: theme.vars.palette.accentSoft },
        ...forFingers,
      }),
    },
  },
};
