import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useId, useState } from 'react';
import { MailFrame } from '../../../ui/mail-frame';

const LINES = 10;
const CHARACTERS = 900;

/** The message as sent; the mail itself, or all of a long text, opens on demand, so that who got it stands within sight. */
export function SentMessage({ subject, content, html }: { subject: string; content: string; html?: string }) {
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
    <>
      <WrittenText content={content} />
      {html && (
        <Button size="small" color="inherit" variant="outlined" onClick={() => setShowsMail(true)} sx={{ mt: 1.5 }}>
          Show the email
        </Button>
      )}
    </>
  );
}

function WrittenText({ content }: { content: string }) {
  const [whole, setWhole] = useState(false);
  const id = useId();
  const isLong = content.length > CHARACTERS || content.split('\n').length > LINES + 2;
  const clamp = { display: '-webkit-box', WebkitLineClamp: LINES, WebkitBoxOrient: 'vertical', overflow: 'hidden' } as const;
  return (
    <>
      <Box id={id} sx={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', lineHeight: 1.65, maxWidth: '76ch', ...(isLong && !whole && clamp) }}>{content}</Box>
      {isLong && (
        <Button size="small" color="inherit" variant="outlined" aria-expanded={whole} aria-controls={id} onClick={() => setWhole(!whole)} sx={{ mt: 1.5, mr: 1 }}>
          {whole ? 'Show less' : 'Show the whole message'}
        </Button>
      )}
    </>
  );
}
