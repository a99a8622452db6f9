import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MenuItem from '@mui/material/MenuItem';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { lengthHint } from '../../../lib/format';
import { MAX_SUBJECT_LENGTH } from '../draft';
import type { Guess } from './guesses';
import { JobFields, fieldId } from './job-fields';
import { errorsOf, type TextName } from './job-values';
import { LeftOutLine, leftOutText } from './left-out-line';
import { requirementMessages as texts } from './messages';
import { RequirementForm } from './requirement-form';
import { SourceText } from './source-text';
import { subjectOf, type Entry, type Reading, type RequirementState } from './use-requirement';
import { VisuallyHidden } from '../../../ui/visually-hidden';

const SUBJECT_ID = 'requirement-subject';
const NO_PLACES: Guess['places'] = [];
const foundText = (count: number) => `Found ${count} requirements`;

interface ReadingFormProps {
  state: RequirementState;
  reading: Reading;
  entry: Entry;
}

/** The result of reading: the text and the fields side by side. */
export function ReadingForm({ state, reading, entry }: ReadingFormProps) {
  const { text, entries, at, isNothing } = reading;
  const [active, setActive] = useState<Guess | null>(null);
  const [isLeftOutShown, setLeftOutShown] = useState(false);
  const { leftOut } = entry.requirement;
  const subject = subjectOf(entry);
  const length = lengthHint(subject.trim().length, MAX_SUBJECT_LENGTH);

  const use = () => {
    const wrong = Object.keys(errorsOf(entry.values))[0] as TextName | undefined;
    const field = wrong ? fieldId(wrong) : length.error ? SUBJECT_ID : null;
    if (field) document.getElementById(field)?.focus();
    else void state.use();
  };
  return (
    <RequirementForm
      onSubmit={use}
      submitLabel="Use it"
      disabled={!state.canUse}
      isBusy={state.isBusy}
      isEdited={state.isEdited}
      failure={state.failure}
      sx={{
        display: { md: 'grid' },
        gridTemplateColumns: 'minmax(0, 5fr) minmax(0, 6fr)',
        gridTemplateRows: 'minmax(0, 1fr)',
        gap: 3,
        height: { md: '72dvh' },
        overflow: { xs: 'auto', md: 'hidden' },
        // Keeps a focused field from being scrolled behind the text.
        scrollPaddingTop: { xs: 'calc(24dvh + 48px)', md: 0 },
      }}
    >
      <Box sx={{ display: { xs: 'contents', md: 'flex' }, flexDirection: 'column', gap: 1, minHeight: 0 }}>
        <Box
          sx={{
            flex: '1 1 auto',
            minHeight: 0,
            height: { xs: '24dvh', md: 'auto' },
            position: { xs: 'sticky', md: 'static' },
            top: -8,
            // Above the floating labels of the fields, which scroll below the text.
            zIndex: 2,
            mx: { xs: -0.5, md: 0 },
            px: { xs: 0.5, md: 0 },
            bgcolor: 'background.paper',
          }}
        >
          <SourceText text={text} source={active?.places ?? NO_PLACES} leftOut={isLeftOutShown ? leftOut.texts : []} />
        </Box>
        <Box sx={{ my: { xs: 1, md: 0 } }}>
          <LeftOutLine
            leftOut={leftOut}
            hiddenNames={entry.hiddenNames}
            text={text}
            isShown={isLeftOutShown}
            onShow={(isShown) => {
              setActive(null);
              setLeftOutShown(isShown);
            }}
          />
          <Button size="small" color="inherit" disabled={state.isBusy} onClick={state.editText} sx={{ ml: -1.25 }}>
            Edit the text
          </Button>
        </Box>
      </Box>
      <Stack
        sx={{ gap: 1.5, pt: 0.5, minHeight: 0, overflowY: { md: 'auto' }, pr: { md: 1 } }}
        onBlur={() => void state.refreshSubject()}
      >
        {isNothing && <Alert severity="info">{texts.nothing}</Alert>}
        {entries.length > 1 && (
          <TextField
            select
            label={foundText(entries.length)}
            value={String(at)}
            onChange={(event) => {
              setActive(null);
              state.pick(Number(event.target.value));
            }}
          >
            {entries.map(({ values }, index) => (
              <MenuItem key={index} value={String(index)}>
                {`${index + 1}. ${values.title || 'Untitled'}`}
              </MenuItem>
            ))}
          </TextField>
        )}
        <TextField
          id={SUBJECT_ID}
          label="Suggested subject"
          value={subject}
          onChange={(event) => state.changeSubject(event.target.value)}
          error={Boolean(length.error)}
          helperText={length.error ?? length.hint ?? ' '}
          autoComplete="off"
        />
        <JobFields entry={entry} onChange={state.change} onFocus={setActive} />
      </Stack>
      <Box role="status" sx={{ position: 'absolute' }}>
        <VisuallyHidden>
          {[
            isNothing ? texts.nothing : entries.length > 1 ? foundText(entries.length) : '',
            leftOutText(leftOut, entry.hiddenNames),
          ]
            .filter(Boolean)
            .join(' ')}
        </VisuallyHidden>
      </Box>
    </RequirementForm>
  );
}
