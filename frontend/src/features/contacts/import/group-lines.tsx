import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { errorMessage } from '../../../api/api-error';
import { client } from '../../../api/client';
import { formatCount } from '../../../lib/format';
import { QueryError } from '../../../ui/loading/section-error';
import { LoadingRegion, RowSkeletons } from '../../../ui/loading/skeletons';
import { messages, type GroupCode, type ImportLine } from './api';
import { LineCorrection } from './line-correction';

const SAMPLE_LINES = 10;
const PAGE_LINES = 100;

interface GroupLinesProps {
  importId: string;
  code: GroupCode;
  title: string;
}

/** Ten lines of a group, or all of them page by page. */
export function GroupLines({ importId, code, title }: GroupLinesProps) {
  const [isAll, setAll] = useState(false);
  const [trail, setTrail] = useState<(string | null)[]>([null]);
  const cursor = trail.at(-1);
  const query = client.useListImportRowsQuery({
    id: importId,
    group: code,
    limit: isAll ? PAGE_LINES : SAMPLE_LINES,
    ...(cursor && { cursor }),
  });
  const { data } = query;
  if (query.error && !data) return <QueryError query={query} text={messages.linesFailed} />;
  if (!data)
    return (
      <LoadingRegion label={`Loading: ${title}`}>
        <RowSkeletons count={3} height={44} />
      </LoadingRegion>
    );
  return (
    <Box sx={{ borderTop: 1, borderColor: 'divider' }}>
      <Box component="ul" aria-label={title} sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {data.rows.map((line) => (
          <Line key={line.line} importId={importId} line={line} />
        ))}
      </Box>
      <Box sx={{ display: 'flex', gap: 1, px: 2.5, py: 1, alignItems: 'center', flexWrap: 'wrap' }}>
        {!isAll && data.total > data.rows.length && (
          <Button size="small" color="inherit" onClick={() => setAll(true)}>
            Show all {formatCount(data.total)}
          </Button>
        )}
        {isAll && trail.length > 1 && (
          <Button size="small" color="inherit" onClick={() => setTrail(trail.slice(0, -1))}>
            Previous lines
          </Button>
        )}
        {isAll && data.next && (
          <Button size="small" color="inherit" onClick={() => setTrail([...trail, data.next])}>
            Next lines
          </Button>
        )}
      </Box>
    </Box>
  );
}

/** Lines whose address can be corrected in place. */
const CORRECTABLE_GROUPS: ReadonlySet<GroupCode> = new Set<GroupCode>([
  'invalid',
  'no_domain',
  'mistyped',
  'disposable',
  'duplicate',
]);

function Line({ importId, line }: { importId: string; line: ImportLine }) {
  const [isEditing, setEditing] = useState(false);
  const [correct] = client.useCorrectImportRowMutation();
  const save = async (email: string): Promise<string | undefined> => {
    try {
      await correct({ id: importId, line: String(line.line), correctLineDto: { email } }).unwrap();
      setEditing(false);
      return undefined;
    } catch (fault) {
      return errorMessage(fault, messages.tryAgain);
    }
  };
  return (
    <Box
      component="li"
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        columnGap: 1.5,
        rowGap: 0.5,
        px: 2.5,
        py: 0.75,
        borderTop: 1,
        borderColor: 'divider',
        '&:first-of-type': { borderTop: 0 },
        fontSize: '0.8125rem',
      }}
    >
      <Box component="span" sx={{ color: 'text.secondary', minWidth: 72, fontVariantNumeric: 'tabular-nums' }}>
        Line {formatCount(line.line)}
      </Box>
      {isEditing ? (
        <LineCorrection line={line} onSave={save} onCancel={() => setEditing(false)} />
      ) : (
        <>
          <Typography variant="mono" sx={{ flex: '1 1 14rem', minWidth: 0, overflowWrap: 'anywhere' }}>
            {line.email || 'No address'}
          </Typography>
          <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
            {detailOf(line)}
          </Typography>
          {line.codes.some((code) => CORRECTABLE_GROUPS.has(code)) && (
            <Button
              size="small"
              color="inherit"
              aria-label={`Correct line ${line.line}`}
              onClick={() => setEditing(true)}
            >
              Correct
            </Button>
          )}
        </>
      )}
    </Box>
  );
}

const detailOf = ({ name, suggestion, misfits }: ImportLine): string =>
  [name, suggestion && `perhaps ${suggestion}`, misfits.length > 0 && `without ${misfits.join(', ')}`]
    .filter(Boolean)
    .join(' · ');
