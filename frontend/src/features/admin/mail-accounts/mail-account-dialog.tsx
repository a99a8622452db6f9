import Typography from '@mui/material/Typography';
import { useFormState, useWatch } from 'react-hook-form';
import { client } from '../../../api/client';
import { orAbsent } from '../../../lib/zod-texts';
import { dialogState, FormDialog } from '../../../ui/dialog/dialog-form';
import { PasswordField } from '../../../ui/form/password-field';
import { FieldGrid, SelectField, TextField } from '../../../ui/form/text-field';
import { useSubmit, useZodForm } from '../../../ui/form/use-form';
import { useToast } from '../../../ui/toast/toast';
import type { MailAccount, MailSecret } from '../api';
import { messages } from '../messages';
import { reasonField } from '../reason-field';
import {
  boundBy,
  encryptions,
  kinds,
  mailAccountSchema,
  mailAccountValues,
  sendingClients,
  serverFields,
  starts,
  toConfig,
  toNewMailAccount,
} from './mail-account-form';

/**
 * Adds a mail account, or changes the configuration of the one given. The form names the secret's setting; the secret
 * itself is never typed.
 */
export function MailAccountDialog({
  account,
  secrets,
  onClose,
}: {
  account?: MailAccount;
  secrets: readonly MailSecret[];
  onClose: () => void;
}) {
  const form = useZodForm(mailAccountSchema, mailAccountValues(account));
  const [add] = client.useAddProviderMutation();
  const [change] = client.useChangeProviderMutation();
  const toast = useToast();
  const { control } = form;
  const secret = useWatch({ control, name: 'apiKeyRef' });
  const bound = boundBy(secret, secrets);
  const { dirtyFields } = useFormState({ control });
  const asksPassword = !account || serverFields.some((field) => dirtyFields[field]);
  const submit = useSubmit(
    form,
    {
      title: account ? messages.providerFailed : messages.providerAddFailed,
      text: messages.tryAgain,
      fields: { provider_name_taken: 'name' },
    },
    async (values) => {
      if (account)
        await change({
          id: account.id,
          changeProviderDto: {
            config: toConfig(values, bound, account.config),
            reason: orAbsent(values.reason),
            currentPassword: values.currentPassword || undefined,
          },
        }).unwrap();
      else await add({ addProviderDto: toNewMailAccount(values, bound) }).unwrap();
      toast({
        title: account ? messages.providerChanged : messages.providerAdded,
        description: values.name,
        variant: 'success',
      });
      onClose();
    },
  );
  return (
    <FormDialog
      title={account ? `Edit "${account.name}"` : 'Add a mail account'}
      maxWidth="sm"
      onSubmit={submit}
      onClose={onClose}
      submitLabel={account ? 'Save changes' : 'Add account'}
      {...dialogState(form)}
    >
      {!account && (
        <TextField
          control={control}
          name="name"
          label="Name"
          placeholder="backup"
          maxLength={100}
          autoComplete="off"
          autoFocus
        />
      )}
      {!account && (
        <SelectField
          control={control}
          name="apiKeyRef"
          label="Secret"
          choices={[
            { value: '', label: 'Choose a setting' },
            ...secrets.map(({ name, isAddress: whole }) => ({
              value: name,
              label: `${name} (${whole ? 'whole address' : 'password'})`,
            })),
          ]}
          helperText="The setting that holds it. The secret itself is never shown or typed here."
        />
      )}
      {bound === 'host' && (
        <Typography variant="body2" color="textSecondary" sx={{ mb: 1 }}>
          The configuration sends this password to {secrets.find(({ name }) => name === secret)?.host} only.
        </Typography>
      )}
      {bound === 'server' && (
        <Typography variant="body2" color="textSecondary" sx={{ mb: 1 }}>
          {account?.apiKeyRef ?? secret} holds the whole address: server, user and password come from there.
        </Typography>
      )}
      <SelectField
        control={control}
        name="kind"
        label="Kind"
        choices={kinds}
        helperText="A direct account starts slowly at each mailbox provider and learns from its answers. A relay is slowed down only where a provider asks for it."
      />
      <FieldGrid>
        {bound !== 'server' && (
          <>
            {bound === 'nothing' && (
              <TextField
                control={control}
                name="host"
                label="Host"
                placeholder="smtp.example.com"
                autoComplete="off"
                maxLength={253}
                autoFocus={Boolean(account)}
              />
            )}
            <TextField
              control={control}
              name="port"
              label="Port"
              optional
              placeholder="587"
              autoComplete="off"
              maxLength={5}
              slotProps={{ htmlInput: { inputMode: 'numeric' } }}
            />
            <SelectField control={control} name="encryption" label="Encryption" choices={encryptions} />
            <TextField
              control={control}
              name="user"
              label="User"
              optional
              autoComplete="off"
              maxLength={200}
              helperText={
                bound === 'host'
                  ? 'Left empty: no sign-in'
                  : 'Only with a password that the configuration binds to a host'
              }
            />
          </>
        )}
        <TextField
          control={control}
          name="messagesPerSecond"
          label="Messages a second"
          optional
          placeholder="No limit"
          autoComplete="off"
          maxLength={5}
          slotProps={{ htmlInput: { inputMode: 'numeric' } }}
        />
        <TextField
          control={control}
          name="messagesPerDay"
          label="Messages a day"
          optional
          placeholder="No limit"
          autoComplete="off"
          maxLength={9}
          slotProps={{ htmlInput: { inputMode: 'numeric' } }}
        />
        <TextField
          control={control}
          name="connections"
          label="Connections of a worker"
          optional
          placeholder="10"
          autoComplete="off"
          maxLength={3}
          slotProps={{ htmlInput: { inputMode: 'numeric' } }}
        />
        <TextField
          control={control}
          name="warmUp"
          label="Warm-up from"
          optional
          type="date"
          helperText="A new account's slow start: 1,000 mails on that day, more each day"
        />
      </FieldGrid>
      <SelectField
        control={control}
        name="client"
        label="Sending client"
        choices={sendingClients}
        helperText={`Fast suits almost every server. Choose nodemailer if a server has trouble with it: it is slower and delivers the same.${bound === 'server' ? ` A ?client= in the address that ${account?.apiKeyRef ?? secret} holds overrules this.` : ''}`}
      />
      {!account && <SelectField control={control} name="start" label="Start" choices={starts} />}
      {asksPassword && (
        <PasswordField control={control} name="currentPassword" label="Your password" autoComplete="current-password" />
      )}
      <TextField control={control} {...reasonField} />
    </FormDialog>
  );
}
