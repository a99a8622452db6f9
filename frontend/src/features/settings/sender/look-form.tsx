import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import FormControlLabel from '@mui/material/FormControlLabel';
import MenuItem from '@mui/material/MenuItem';
import Stack from '@mui/material/Stack';
import Switch from '@mui/material/Switch';
import TextField from '@mui/material/TextField';
import { useState, type FormEvent } from 'react';
import { errorMessage } from '../../../api/api-error';
import { client } from '../../../api/client';
import type { SenderProfileDto } from '../../../api/endpoints.gen';
import { useCurrentUser } from '../../../api/session';
import { lengthHint } from '../../../lib/format';
import { useUnsavedInput } from '../../../lib/unsaved-changes';
import { usePictureTools } from '../../../shared/pictures';
import { useSaveSenderProfile } from '../../../shared/sender-profile';
import { textColors } from '../../../theme/writing-colors';
import { emptyDocument, isEmptyDocument, type RichDocument } from '../../../ui/editor/document';
import { RichTextField } from '../../../ui/editor/rich-text-field';
import { Swatch } from '../../../ui/editor/toolbar/swatch';
import { SubmitButton } from '../../../ui/form/submit-button';
import { OptionalMark } from '../../../ui/form/text-field';
import { QueryError } from '../../../ui/loading/section-error';
import { LoadingRegion, RowSkeletons } from '../../../ui/loading/skeletons';
import { useToast } from '../../../ui/toast/toast';
import { messages } from '../messages';
import { LogoField } from './logo-field';
import { closingDocument, closingTextOf, signatureOf } from './own-details';
import { SenderPreview } from './sender-preview';

const MAX_CLOSING_LENGTH = 500;
const NO_TAGS: never[] = [];

/** How the sender's emails look: logo, colour, signature and closing line, with a preview. */
export function LookForm() {
  const profile = client.useGetSenderProfileQuery();
  if (profile.data) return <Fields profile={profile.data} />;
  if (profile.error) return <QueryError query={profile} text={messages.senderFailed} />;
  return (
    <LoadingRegion label="Loading the look of your emails">
      <RowSkeletons count={3} height={56} />
    </LoadingRegion>
  );
}

interface Look {
  logoFileId: string | null;
  showLogo: boolean;
  accent: SenderProfileDto['accent'];
  signature: RichDocument | null;
  footer: RichDocument | null;
}

const lookOf = ({ logoFileId, showLogo, accent, signature, footer }: SenderProfileDto): Look => ({
  logoFileId,
  showLogo,
  accent,
  signature: signature as RichDocument | null,
  footer: footer as RichDocument | null,
});

const orNone = (document: RichDocument): RichDocument | null => (isEmptyDocument(document) ? null : document);

function Fields({ profile }: { profile: SenderProfileDto }) {
  const user = useCurrentUser();
  const pictures = usePictureTools();
  const save = useSaveSenderProfile();
  const toast = useToast();
  const [changes, setChanges] = useState<Partial<Look>>({});
  const [closing, setClosing] = useState<string | null>(null);
  const [replaced, setReplaced] = useState(0);
  const [isSaving, setSaving] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const look: Look = { ...lookOf(profile), ...changes };
  const isDirty = Object.keys(changes).length > 0;
  const closingText = closing ?? closingTextOf(look.footer);
  const closingHint = lengthHint(closingText.length, MAX_CLOSING_LENGTH);
  useUnsavedInput(isDirty);
  const change = (next: Partial<Look>) => {
    setFailure(null);
    setChanges((now) => ({ ...now, ...next }));
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setSaving(true);
    try {
      await save(profile, look);
      setChanges({});
      setClosing(null);
      toast({ title: messages.senderUpdated, description: messages.lookSaved, variant: 'success' });
    } catch (error) {
      const description = errorMessage(error, messages.tryAgain);
      setFailure(`${messages.updateFailed}: ${description}`);
      toast({ title: messages.updateFailed, description, variant: 'destructive' });
    }
    setSaving(false);
  };
  return (
    <Stack component="form" noValidate onSubmit={(event) => void submit(event)} sx={{ gap: 2.5 }}>
      <LogoField
        fileId={look.logoFileId}
        pictures={pictures}
        onChange={(logoFileId, showLogo) => change({ logoFileId, showLogo })}
      >
        <FormControlLabel
          control={<Switch checked={look.showLogo} onChange={(_event, showLogo) => change({ showLogo })} />}
          label="Show logo"
        />
      </LogoField>
      <TextField
        id="sender-accent"
        select
        label="Colour of links and buttons"
        value={look.accent ?? ''}
        onChange={({ target }) =>
          change({ accent: textColors.find(({ value }) => value === target.value)?.value ?? null })
        }
        helperText=" "
        sx={{ maxWidth: 320 }}
        slotProps={{ select: { displayEmpty: true }, inputLabel: { shrink: true } }}
      >
        <MenuItem value="">
          <Colour label="Default" />
        </MenuItem>
        {textColors.map(({ value, label }) => (
          <MenuItem key={value} value={value}>
            <Colour hue={value} label={label} />
          </MenuItem>
        ))}
      </TextField>
      <Box>
        <RichTextField
          kind="signature"
          label="Signature"
          document={look.signature ?? emptyDocument()}
          revision={replaced}
          onChange={(document) => change({ signature: orNone(document) })}
          tags={NO_TAGS}
          pictures={pictures}
          hint="Stands below each email that you write with the editor"
        />
        <Button
          variant="outlined"
          color="inherit"
          size="small"
          sx={{ mt: 1 }}
          onClick={() => {
            change({ signature: signatureOf(user, profile) });
            setReplaced(replaced + 1);
          }}
        >
          Use my details
        </Button>
      </Box>
      <TextField
        id="sender-closing"
        label={<OptionalMark label="Closing line" />}
        value={closingText}
        multiline
        maxRows={6}
        error={Boolean(closingHint.error)}
        helperText={closingHint.error ?? closingHint.hint ?? 'Below the signature, such as a confidentiality notice'}
        onChange={({ target: { value } }) => {
          setClosing(value);
          change({ footer: closingDocument(value) });
        }}
      />
      {failure && <Alert severity="error">{failure}</Alert>}
      <SubmitButton
        sx={{ justifySelf: 'start', alignSelf: 'flex-start' }}
        pending={isSaving}
        disabled={!isDirty || Boolean(closingHint.error)}
      >
        Save changes
      </SubmitButton>
      <SenderPreview profile={profile} changes={changes} />
    </Stack>
  );
}

function Colour({ hue, label }: { hue?: (typeof textColors)[number]['value']; label: string }) {
  return (
    <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 1 }}>
      {hue ? <Swatch kind="ink" hue={hue} /> : <Swatch />}
      {label}
    </Box>
  );
}
