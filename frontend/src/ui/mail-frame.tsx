import Box from '@mui/material/Box';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import { useState } from 'react';
import { useNarrow } from './use-narrow';

const widths = { desktop: { label: 'Desktop', pixels: 600 }, phone: { label: 'Phone', pixels: 320 } } as const;
type Width = keyof typeof widths;
const schemes = { light: 'Light', dark: 'Dark' } as const;
type Scheme = keyof typeof schemes;

/** Links in the mail open nothing: their target is a new window, which the sandbox does not allow. */
const inert = (html: string) => html.replace(/<head[^>]*>/i, '$&<base target="_blank">');

/** The HTML part of a mail as a mail client shows it, on a desk or a phone, light or dark. It can run no script and reach nothing of the page. */
export function MailFrame({ html, title }: { html: string; title: string }) {
  const [width, setWidth] = useState<Width>(useNarrow() ? 'phone' : 'desktop');
  const [scheme, setScheme] = useState<Scheme>('light');
  return (
    <Box>
      <Box sx={{ display: 'flex', gap: 1.5, flexWrap: 'wrap', mb: 1.5 }}>
        <ToggleButtonGroup exclusive size="small" value={width} aria-label="Width of the preview" onChange={(_event, next: Width | null) => next && setWidth(next)}>
          {(Object.keys(widths) as Width[]).map((name) => (
            <ToggleButton key={name} value={name}>{`${widths[name].label}, ${widths[name].pixels} px`}</ToggleButton>
          ))}
        </ToggleButtonGroup>
        <ToggleButtonGroup exclusive size="small" value={scheme} aria-label="Colours of the preview" onChange={(_event, next: Scheme | null) => next && setScheme(next)}>
          {(Object.keys(schemes) as Scheme[]).map((name) => (
            <ToggleButton key={name} value={name}>
              {schemes[name]}
            </ToggleButton>
          ))}
        </ToggleButtonGroup>
      </Box>
      {/* Scrolls sideways where the preview is wider than the screen: by the keyboard too. */}
      <Box role="region" aria-label={`${title}, to scroll`} tabIndex={0} sx={{ overflowX: 'auto' }}>
        <Box
          component="iframe"
          title={title}
          sandbox=""
          srcDoc={inert(html)}
          sx={{
            display: 'block', width: widths[width].pixels, height: 480, border: 1, borderColor: 'surface.line', borderRadius: 2,
            colorScheme: scheme, bgcolor: scheme === 'dark' ? 'common.black' : 'common.white',
          }}
        />
      </Box>
    </Box>
  );
}
