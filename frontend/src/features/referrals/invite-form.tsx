import Box from '@mui/material/Box';
import type { Ref } from 'react';
import { z } from 'zod';
import { errorMessage } from '../../api/api-error';
import { client } from '../../api/client';
import { useUnsavedInput } from '../../lib/unsaved-changes';
import { emailField } from '../../lib/zod-texts';
import { SubmitButton } from '../../ui/form/submit-button';
import { TextField } from '../../ui/form/text-field';
import { applyServerErrors, useZodForm } from '../../ui/form/use-form';
import { IconSend } from '../../ui/icons';
import { useToast } from '../../ui/toast/toast';
import { messages } from './api';
import { Panel } from './link-card';

const schema = z.object({ inviteeEmail: z.string().trim().min(1, messages.emailRequiredText).pipe(emailField) });

/** Invites one address by email. */
export function InviteForm({ inputRef }: { inputRef: Ref<HTMLInputElement> }) {
  const form = useZodForm(schema, { inviteeEmail: '' });
  useUnsavedInput(form.formState.isDirty);
  const [send] = client.useSendInviteMutation();
  const toast = useToast();
  const submit = form.handleSubmit(
    async ({ inviteeEmail }) => {
      try {
        const { message } = await send({ inviteDto: { inviteeEmail } }).unwrap();
        toast({ title: messages.inviteSent, description: message, variant: 'success' });
        form.reset();
      } catch (error) {
        applyServerErrors(form, error);
        toast({
          title: messages.inviteFailed,
          description: errorMessage(error, messages.tryAgain),
          variant: 'destructive',
        });
      }
    },
    ({ inviteeEmail }) => {
      if (inviteeEmail?.message === messages.emailRequiredText)
        toast({ title: messages.emailRequired, description: messages.emailRequiredText, variant: 'destructive' });
    },
  );
  return (
    <Panel title="Invite by email" text="One mail, no reminder. 20 invites a day, one to each address in 30 days.">
      <Box
        component="form"
        noValidate
        onSubmit={(event) => void submit(event)}
        sx={{
          display: 'grid',
          gap: 1,
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'minmax(0, 1fr) auto' },
          alignItems: 'start',
        }}
      >
        <TextField
          control={form.control}
          name="inviteeEmail"
          label="Colleague's email"
          type="email"
          autoComplete="off"
          placeholder="colleague@example.com"
          slotProps={{ htmlInput: { ref: inputRef } }}
        />
        <SubmitButton
          pending={form.formState.isSubmitting}
          startIcon={<IconSend size={16} aria-hidden />}
          sx={{ mt: { sm: 3 } }}
        >
          Send Invite
        </SubmitButton>
      </Box>
    </Panel>
  );
}
