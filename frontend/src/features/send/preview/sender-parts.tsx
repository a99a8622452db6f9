import Box from '@mui/material/Box';
import FormControlLabel from '@mui/material/FormControlLabel';
import Link from '@mui/material/Link';
import Switch from '@mui/material/Switch';
import { Link as RouterLink } from 'react-router-dom';
import { client } from '../../../api/client';
import { settingsPath } from '../../../lib/routes';
import { isPartShown, type Draft, type DraftChange } from '../draft';
import { Fact } from './fact';

interface SenderPartsProps {
  draft: Draft;
  onChange: (change: DraftChange) => void;
  disabled: boolean;
}

/** Switches for the parts of the sender's profile that this email has. */
export function SenderParts({ draft, onChange, disabled }: SenderPartsProps) {
  const { data: profile } = client.useGetSenderProfileQuery();
  if (!profile) return null;
  const parts = [
    { part: 'signature' as const, label: 'Signature', isThere: Boolean(profile.signature ?? profile.footer) },
    { part: 'brand' as const, label: 'Logo', isThere: profile.showLogo || profile.accent !== null },
  ].filter(({ isThere }) => isThere);
  if (parts.length === 0)
    return (
      <Fact term="Sender">
        <Link component={RouterLink} to={settingsPath('look')}>
          Add a signature and a logo
        </Link>
      </Fact>
    );
  return (
    <Fact term="Sender">
      <Box sx={{ display: 'flex', gap: 2, flexWrap: 'wrap' }}>
        {parts.map(({ part, label }) => (
          <FormControlLabel
            key={part}
            control={
              <Switch
                size="small"
                checked={isPartShown(part, draft)}
                disabled={disabled}
                onChange={(_event, checked) => onChange({ [part]: checked })}
              />
            }
            label={label}
          />
        ))}
      </Box>
    </Fact>
  );
}
