import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useId, useState, type ReactNode } from 'react';
import { MailFrame } from '../../ui/mail-frame';

const COLLAPSED_LINES = 10;
const COLLAPSED_LENGTH = 900;

interface SentMessageProps {
  subject: string;
  content: string;
  html?: string;
  /** The text may contain tables, whose columns are aligned only in a monospaced font. */
  hasTables?: boolean;
}

/** The message as sent. A long text is cut, and the email opens on demand, so that the delivery log stays visible. */
export function SentMessage({ subject, content, html, hasTables = false }: SentMessageProps) {
  const [showsMail, setShowsMail] = useState(false);
  if (showsMail && html) {
    return (
      <>
        <MailFrame html={html} title={`The email "${subject}"`} />
        <Button size="small" color="inherit" variant="outlined" onClick={() => setShowsMail(false)} sx={{ mt: 1.5 }}>
          Show the text
        </Button>
      </>
    );
  }
  return (
    <WrittenText content={content} hasTables={hasTables}>
      {html && (
        <Button size="small" color="inherit" variant="outlined" onClick={() => setShowsMail(true)}>
          Show the email
        </Button>
      )}
    </WrittenText>
  );
}

interface WrittenTextProps {
  content: string;
  hasTables: boolean;
  /** Further buttons below the text. */
  children?: ReactNode;
}

function WrittenText({ content, hasTables, children }: WrittenTextProps) {
  const [whole, setWhole] = useState(false);
  const id = useId();
  const isLong = content.length > COLLAPSED_LENGTH || content.split('\n').length > COLLAPSED_LINES + 2;
  const clamp = {
    display: '-webkit-box',
    WebkitLineClamp: COLLAPSED_LINES,
    WebkitBoxOrient: 'vertical',
    overflow: 'hidden',
  } as const;
  return (
    <>
      <Box
        id={id}
        sx={{
          ...(hasTables && { typography: 'mono' }),
          whiteSpace: 'pre-wrap',
          overflowWrap: 'anywhere',
          lineHeight: 1.65,
          maxWidth: '76ch',
          ...(isLong && !whole && clamp),
        }}
      >
        {content}
      </Box>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, mt: 1.5 }}>
        {isLong && (
          <Button
            size="small"
            color="inherit"
            variant="outlined"
            aria-expanded={whole}
            aria-controls={id}
            onClick={() => setWhole(!whole)}
          >
            {whole ? 'Show less' : 'Show the whole message'}
          </Button>
        )}
        {children}
      </Box>
    </>
  );
}
