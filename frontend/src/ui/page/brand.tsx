import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { PRODUCT_NAME, PRODUCT_SUBTITLE } from '../../lib/product';

/** The logo: a point and two arcs. */
export function BrandMark({ size = 28 }: { size?: number }) {
  return (
    <Box
      component="svg"
      viewBox="0 0 32 32"
      aria-hidden
      sx={{ width: size, height: size, flexShrink: 0, color: 'primary.contrastText' }}
    >
      <Box component="rect" width="32" height="32" rx="8" sx={{ fill: 'var(--sc-palette-primary-main)' }} />
      <g fill="none" stroke="currentColor" strokeWidth="2.6" strokeLinecap="round">
        <path d="M8.5 22.5a13 13 0 0 1 14-14" />
        <path d="M13.8 23.2a9 9 0 0 1 9.4-9.4" />
      </g>
      <circle cx="21.4" cy="21.4" r="2.9" fill="currentColor" />
    </Box>
  );
}

/** The logo with the name and, in the sidebar, the subtitle. */
export function Brand({ subtitle }: { subtitle?: boolean }) {
  return (
    <Stack direction="row" sx={{ alignItems: 'center', gap: 1.25, minWidth: 0 }}>
      <BrandMark size={subtitle ? 32 : 28} />
      <Box sx={{ minWidth: 0 }}>
        <Typography
          component="span"
          noWrap
          sx={{ display: 'block', fontSize: '1rem', fontWeight: 680, letterSpacing: '-0.02em', lineHeight: 1.25 }}
        >
          {PRODUCT_NAME}
        </Typography>
        {subtitle && (
          <Typography
            component="span"
            variant="caption"
            color="textSecondary"
            sx={{ display: 'block', lineHeight: 1.3 }}
          >
            {PRODUCT_SUBTITLE}
          </Typography>
        )}
      </Box>
    </Stack>
  );
}
