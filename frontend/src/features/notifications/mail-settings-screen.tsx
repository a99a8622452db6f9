import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import Stack from '@mui/material/Stack';
import { useState } from 'react';
import { isApiError } from '../../api/api-error';
import { fetchJson, type Message } from '../../api/fetch-json';
import { usePathPart } from '../../lib/navigation';
import { MailLinkAction } from '../../shared/mail-link-action';
import { IconMail } from '../../ui/icons';
import { kindNames, type ChosenKind } from './kinds';

const kinds = Object.keys(kindNames) as ChosenKind[];

/**
 * "Change what we mail you", from a notification mail. The page changes nothing until a button is pressed, because
 * scanners open every link.
 */
export function MailSettingsScreen() {
  const [chosen, setChosen] = useState<readonly ChosenKind[]>(kinds);
  const stop = (token: string) =>
    fetchJson<Message>('POST', `/api/notification-opt-out/${encodeURIComponent(token)}`, { kinds: chosen });
  return (
    <MailLinkAction
      token={usePathPart('mailSettings', 'token')}
      run={stop}
      icon={IconMail}
      title="Change what we mail you"
      text="Choose which mails are to stop. In the app you are still told, and everything can be turned on again in the settings."
      choices={
        <Stack sx={{ mb: 2.5 }}>
          {kinds.map((kind) => (
            <FormControlLabel
              key={kind}
              label={kindNames[kind]}
              control={
                <Checkbox
                  checked={chosen.includes(kind)}
                  onChange={(_event, checked) =>
                    setChosen(checked ? [...chosen, kind] : chosen.filter((other) => other !== kind))
                  }
                />
              }
            />
          ))}
        </Stack>
      }
      canAct={chosen.length > 0}
      buttonLabel="Stop these mails"
      doneTitle="These mails have stopped"
      failedTitle="The mails could not be stopped"
      failureText={(error) => (isApiError(error) && error.status !== 0 && error.message) || 'Please try again'}
    />
  );
}
