import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import Typography from '@mui/material/Typography';
import { useMemo, useState, type ReactNode } from 'react';
import { useNarrow } from './page/page';

const views = { desktop: 'Desktop', phone: 'Phone', text: 'Plain text' } as const;
type View = keyof typeof views;
const widths = { desktop: 640, phone: 360 } as const;

/** Makes links do nothing: their target is a new window, which the sandbox forbids. */
const inert = (html: string) => html.replace(/<head[^>]*>/i, '$&<base target="_blank">');

interface MailFrameProps {
  html: string;
  /** The text part. If absent, the view is not offered. */
  text?: string;
  title: string;
  /** Further controls, shown beside the views. */
  children?: ReactNode;
}

/**
 * A mail as a mail client shows it: on a desktop or a phone, light or dark, or its text part. It cannot run scripts or
 * access the page.
 */
export function MailFrame({ html, text, title, children }: MailFrameProps) {
  const [view, setView] = useState<View>(useNarrow() ? 'phone' : 'desktop');
  const [isDark, setDark] = useState(false);
  const offered = (Object.keys(views) as View[]).filter((name) => name !== 'text' || text !== undefined);
  return (
    <Box>
      <Box sx={{ display: 'flex', gap: 1.5, flexWrap: 'wrap', alignItems: 'center', mb: 1.5 }}>
        <ToggleButtonGroup
          exclusive
          size="small"
          value={view}
          aria-label="How the email is shown"
          onChange={(_event, next: View | null) => next && setView(next)}
        >
          {offered.map((name) => (
            <ToggleButton key={name} value={name}>
              {views[name]}
            </ToggleButton>
          ))}
        </ToggleButtonGroup>
        <ToggleButton
          size="small"
          value="dark"
          selected={isDark}
          disabled={view === 'text'}
          onChange={() => setDark(!isDark)}
        >
          Dark
        </ToggleButton>
        {children}
      </Box>
      {view === 'text' ? (
        <Box
          sx={{
            p: 2,
            border: 1,
            borderColor: 'divider',
            borderRadius: 2,
            whiteSpace: 'pre-wrap',
            overflowWrap: 'anywhere',
            typography: 'mono',
            lineHeight: 1.6,
          }}
        >
          {text}
        </Box>
      ) : (
        // Scrolls sideways, also by keyboard, when the desktop view is wider than the screen. On a phone the frame
        // extends into the padding around it. Otherwise it would be narrower than 320 px, the least width for which
        // mails are made.
        <Box
          role="region"
          aria-label={`${title}, to scroll`}
          tabIndex={0}
          sx={{ overflowX: 'auto', mx: { xs: -1.5, sm: 0 } }}
        >
          <Box
            component="iframe"
            title={title}
            sandbox=""
            srcDoc={inert(html)}
            sx={{
              display: 'block',
              mx: 'auto',
              width: widths[view],
              maxWidth: view === 'phone' ? '100%' : undefined,
              height: 480,
              border: 1,
              borderColor: 'divider',
              borderRadius: 2,
              colorScheme: isDark ? 'dark' : 'light',
              bgcolor: isDark ? 'common.black' : 'common.white',
            }}
          />
        </Box>
      )}
      <MailLinks html={html} />
    </Box>
  );
}

interface MailLink {
  text: string;
  href: string;
}

/** The links of a mail, each URL once. Loads and runs nothing from the mail. */
function linksOf(html: string): MailLink[] {
  const page = new DOMParser().parseFromString(html, 'text/html');
  const found = new Map<string, string>();
  for (const link of page.querySelectorAll('a[href]')) {
    const href = link.getAttribute('href') ?? '';
    if (/^(?:https?|mailto|tel):/i.test(href) && !found.has(href)) found.set(href, link.textContent.trim());
  }
  return [...found].map(([href, text]) => ({ href, text }));
}

/** A list of the mail's links, because links do nothing within the frame. */
function MailLinks({ html }: { html: string }) {
  const links = useMemo(() => linksOf(html), [html]);
  if (links.length === 0) return null;
  return (
    <Box sx={{ mt: 1.5 }}>
      <Typography variant="subtitle2">Links in this email</Typography>
      <Box component="ul" sx={{ m: 0, mt: 0.5, pl: 2.5, display: 'grid', gap: 0.25 }}>
        {links.map(({ href, text }) => (
          <Box component="li" key={href} sx={{ overflowWrap: 'anywhere', fontSize: '0.8125rem' }}>
            {text && text !== href && `${text}: `}
            <Link href={href} target="_blank" rel="noopener noreferrer">
              {href.replace(/^mailto:|^tel:/, '')}
            </Link>
          </Box>
        ))}
      </Box>
    </Box>
  );
}
