import type { Components, CssVarsTheme, Theme } from '@mui/material/styles';

type Parts = Components<Omit<Theme, 'components' | 'palette'> & CssVarsTheme>;

const severities = ['success', 'info', 'warning', 'error'] as const;

/** Dialogs, alerts, progress, tooltips and chips. */
export const feedback: Parts = {
  MuiBackdrop: {
    styleOverrides: { root: { '&:not(.MuiBackdrop-invisible)': { backgroundColor: 'rgb(6 9 9 / 0.62)' } } },
  },
  MuiDialog: {
    styleOverrides: {
      paper: ({ theme }) => ({
        borderRadius: 14,
        border: `1px solid ${theme.vars.palette.divider}`,
        boxShadow: theme.vars.palette.shadow,
        [theme.breakpoints.down('sm')]: { margin: 16, width: 'calc(100% - 32px)', maxHeight: 'calc(100% - 32px)' },
      }),
      paperFullScreen: ({ theme }) => ({
        [theme.breakpoints.down('sm')]: {
          margin: 0,
          width: '100%',
          maxHeight: 'none',
          border: 0,
          borderRadius: 0,
        },
      }),
    },
  },
  MuiDialogTitle: {
    styleOverrides: {
      root: {
        padding: '20px 24px 6px',
        fontSize: '1.125rem',
        fontWeight: 620,
        letterSpacing: '-0.012em',
        overflowWrap: 'anywhere',
      },
    },
  },
  MuiDialogContent: { styleOverrides: { root: { padding: '8px 24px', '&:last-child': { paddingBottom: 20 } } } },
  MuiDialogContentText: {
    styleOverrides: { root: ({ theme }) => ({ color: theme.vars.palette.text.secondary, fontSize: '0.875rem' }) },
  },
  MuiDialogActions: {
    styleOverrides: {
      root: { padding: '12px 24px 20px', gap: 8, flexWrap: 'wrap', '& > :not(style) ~ :not(style)': { marginLeft: 0 } },
    },
  },
  MuiAlert: {
    styleOverrides: {
      root: ({ theme }) => ({
        borderRadius: 10,
        fontSize: '0.875rem',
        alignItems: 'center',
        padding: '8px 14px',
        [theme.breakpoints.down('sm')]: {
          flexWrap: 'wrap',
          '& .MuiAlert-message': { flex: 1 },
          '& .MuiAlert-action': { flexBasis: '100%', paddingLeft: 22 },
        },
      }),
      message: { padding: 0 },
      icon: { padding: 0, opacity: 1 },
      action: { padding: '0 0 0 12px', marginRight: -4, alignItems: 'center', whiteSpace: 'nowrap' },
    },
    variants: severities.map((severity) => ({
      props: { severity, variant: 'standard' },
      style: ({ theme }) => {
        const { main, soft } = theme.vars.palette.tone[severity];
        return { backgroundColor: soft, color: theme.vars.palette.text.primary, '& .MuiAlert-icon': { color: main } };
      },
    })),
  },
  MuiLinearProgress: {
    styleOverrides: {
      root: ({ theme }) => ({ height: 6, borderRadius: 6, backgroundColor: theme.vars.palette.surface.raised }),
      bar: { borderRadius: 6 },
    },
  },
  MuiSkeleton: {
    defaultProps: { animation: 'wave' },
    styleOverrides: { root: ({ theme }) => ({ backgroundColor: theme.vars.palette.surface.raised, borderRadius: 6 }) },
  },
  MuiTooltip: {
    defaultProps: { enterDelay: 700, enterNextDelay: 0 },
    styleOverrides: {
      tooltip: ({ theme }) => ({
        backgroundColor: theme.vars.palette.text.primary,
        color: theme.vars.palette.surface.panel,
        fontSize: '0.75rem',
        fontWeight: 550,
        padding: '5px 9px',
        borderRadius: 6,
      }),
    },
  },
  MuiChip: {
    styleOverrides: {
      root: ({ theme }) => ({
        borderRadius: 6,
        fontWeight: 540,
        backgroundColor: theme.vars.palette.surface.raised,
        color: theme.vars.palette.text.primary,
      }),
      sizeSmall: { height: 24, fontSize: '0.75rem' },
    },
  },
};
