import type { SxProps, Theme } from '@mui/material/styles';
import { cellTints } from './schema/tables';
import { textColors, writingColors } from '../../theme/writing-colors';

/** Styles of the text in the editor: similar to the mail, in the colours of the screen. */
export const editorStyles: Extract<SxProps<Theme>, (theme: Theme) => unknown> = (theme) => {
  const { palette } = theme.vars ?? theme;
  return {
    '& .tiptap': {
      // As tall as the plain field: 12 rows.
      minHeight: '18.5rem',
      padding: '10px 14px',
      outline: 'none',
      // A wide table scrolls within the field, also by keyboard, and never scrolls the page.
      overflowX: 'auto',
      overscrollBehaviorX: 'contain',
      lineHeight: 1.55,
      overflowWrap: 'anywhere',
      fontSize: '0.9375rem',
      [theme.breakpoints.down('md')]: { fontSize: '1rem' },
      '& > *': { margin: '0 0 0.75em' },
      '& > *:last-child': { marginBottom: 0 },
      '& p': { margin: '0 0 0.75em' },
      '& li > p, & td > p, & th > p': { margin: 0 },
      '& ul, & ol': { paddingInlineStart: '1.6em' },
      '& li': { marginBottom: '0.2em' },
      '& h1': { fontSize: '1.375rem', lineHeight: 1.3, fontWeight: 650 },
      '& h2': { fontSize: '1.1875rem', lineHeight: 1.3, fontWeight: 650 },
      '& h3': { fontSize: '1.0625rem', lineHeight: 1.35, fontWeight: 650 },
      '& blockquote': {
        borderInlineStart: `3px solid ${palette.controlBorder}`,
        paddingInlineStart: 12,
        marginInline: 0,
      },
      '& hr': { border: 0, borderTop: `1px solid ${palette.controlBorder}` },
      '& hr.ProseMirror-selectednode': { outline: `2px solid ${palette.primary.main}` },
      '& a': {
        color: palette.primary.main,
        textDecoration: 'underline',
        cursor: 'text',
        display: 'inline-block',
        lineHeight: '24px',
      },
      '& img': { maxWidth: '100%', height: 'auto', borderRadius: 4 },
      '& .tableWrapper': { marginBottom: '0.75em' },
      '& table': { borderCollapse: 'collapse', minWidth: '50%' },
      '& th, & td': {
        border: `1px solid ${palette.controlBorder}`,
        padding: '5px 9px',
        textAlign: 'start',
        verticalAlign: 'top',
        minWidth: '4.5rem',
        overflowWrap: 'break-word',
      },
      '& th': { fontWeight: 620, backgroundColor: palette.surface.raised },
      '& .selectedCell': { outline: `2px solid ${palette.primary.main}`, outlineOffset: -2 },
      '& [data-tag]': {
        display: 'inline-block',
        padding: '0 6px',
        borderRadius: 6,
        backgroundColor: palette.accentSoft,
        color: palette.primary.main,
        fontWeight: 560,
        fontSize: '0.9em',
        cursor: 'pointer',
        whiteSpace: 'nowrap',
        maxWidth: '100%',
        overflow: 'hidden',
        textOverflow: 'ellipsis',
        verticalAlign: 'bottom',
      },
      '& [data-file-link]': {
        display: 'inline-block',
        padding: '0 7px',
        border: `1px solid ${palette.controlBorder}`,
        borderRadius: 6,
        color: palette.primary.main,
        fontWeight: 560,
        fontSize: '0.9em',
        textDecoration: 'underline',
        cursor: 'pointer',
        maxWidth: '100%',
        overflow: 'hidden',
        textOverflow: 'ellipsis',
        whiteSpace: 'nowrap',
        verticalAlign: 'bottom',
      },
      '& [data-button]': {
        width: 'fit-content',
        padding: '8px 18px',
        borderRadius: 6,
        backgroundColor: palette.primary.main,
        color: palette.primary.contrastText,
        fontWeight: 600,
        cursor: 'pointer',
      },
      '& [data-block]': { padding: 12, border: `1px dashed ${palette.controlBorder}`, color: palette.text.secondary },
      '& .ProseMirror-selectednode': { outline: `2px solid ${palette.primary.main}`, outlineOffset: 1 },
      ...colorStyles('light'),
      ...theme.applyStyles('dark', colorStyles('dark')),
    },
  };
};

const colorStyles = (scheme: 'light' | 'dark') => {
  const { ink, tint } = writingColors[scheme];
  return {
    ...Object.fromEntries(textColors.map(({ value }) => [`& [data-color="${value}"]`, { color: ink[value] }])),
    ...Object.fromEntries(cellTints.map(({ value }) => [`& [data-tint="${value}"]`, { backgroundColor: tint[value] }])),
  };
};
