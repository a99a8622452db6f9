import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { amongWords } from '../../../theme/touch';
import { pasteNote, type PasteReport } from '../paste/paste-report';
import { tagLabel } from '../tags/tag-labels';

interface PasteNotesProps {
  report: PasteReport;
  onWithoutFormatting: () => void;
  onUseTag: (written: string, tag: string) => void;
  onLeave: (written: string) => void;
}

/** Says what a paste left out, and offers a replacement for each merge tag of another tool. */
export function PasteNotes({ report, onWithoutFormatting, onUseTag, onLeave }: PasteNotesProps) {
  const note = pasteNote(report);
  return (
    <>
      {report.foreignTags.map(({ written, tag }) => (
        <Alert
          key={written}
          severity="info"
          sx={{ mt: 1, overflowWrap: 'anywhere' }}
          action={
            <>
              <Button size="small" color="inherit" onClick={() => onUseTag(written, tag)}>
                {`Use ${tagLabel(tag)}`}
              </Button>
              <Button size="small" color="inherit" onClick={() => onLeave(written)}>
                Leave as text
              </Button>
            </>
          }
        >
          {`This looks like a merge tag of another tool: ${written}.`}
        </Alert>
      ))}
      {note && (
        <Typography variant="body2" color="textSecondary" component="div" sx={{ mt: 0.75 }}>
          {note}{' '}
          <Button
            size="small"
            color="inherit"
            onClick={onWithoutFormatting}
            sx={{ verticalAlign: 'baseline', ...amongWords }}
          >
            Paste without formatting
          </Button>
        </Typography>
      )}
    </>
  );
}
