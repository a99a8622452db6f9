import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { z } from 'zod';
import { errorMessage } from '../../../api/api-error';
import { client } from '../../../api/client';
import { useUnsavedInput, type UnsavedInput } from '../../../lib/unsaved-changes';
import { SubmitButton } from '../../../ui/form/submit-button';
import { TextField } from '../../../ui/form/text-field';
import { applyServerErrors, useZodForm } from '../../../ui/form/use-form';
import { useToast } from '../../../ui/toast/toast';
import type { AdminUserDetail } from '../api';
import { messages } from '../messages';

const schema = z.object({
  customDailyLimit: z
    .string()
    .trim()
    .regex(/^\d{1,6}$/, 'Enter a whole number, 0 or more'),
});

const textOf = (limit: number | null) => (limit === null ? '' : String(limit));

const personOf = (search: string) => new URLSearchParams(search).get('person');
const isOtherPerson: UnsavedInput['isLostBy'] = (from, to) =>
  from.pathname !== to.pathname || personOf(from.search) !== personOf(to.search);

/** Sets a custom daily limit, which may be 0, or returns to the plan's limit. */
export function DailyLimitForm({ user }: { user: AdminUserDetail }) {
  const stored = { customDailyLimit: textOf(user.customDailyLimit) };
  const form = useZodForm(schema, stored, stored);
  useUnsavedInput(form.formState.isDirty, { isLostBy: isOtherPerson });
  const [changeUser] = client.useChangeUserMutation();
  const toast = useToast();
  const set = async (customDailyLimit: number | null) => {
    try {
      await changeUser({ userId: user.id, changeUserDto: { customDailyLimit } }).unwrap();
      form.reset({ customDailyLimit: textOf(customDailyLimit) }, { keepDirtyValues: false });
      toast({
        title: messages.userChanged,
        description:
          customDailyLimit === null ? "The daily limit is the plan's again." : `Daily limit: ${customDailyLimit}`,
        variant: 'success',
      });
    } catch (error) {
      applyServerErrors(form, error);
      toast({
        title: messages.userChangeFailed,
        description: errorMessage(error, messages.tryAgain),
        variant: 'destructive',
      });
    }
  };
  return (
    <Box
      component="form"
      noValidate
      onSubmit={(event) => void form.handleSubmit(({ customDailyLimit }) => set(Number(customDailyLimit)))(event)}
      sx={{ display: 'flex', gap: 1, alignItems: 'flex-start', mt: 2, flexWrap: 'wrap' }}
    >
      <TextField
        control={form.control}
        name="customDailyLimit"
        label="Custom daily limit"
        placeholder="The plan's"
        sx={{ flex: '1 1 160px' }}
        slotProps={{ htmlInput: { inputMode: 'numeric' } }}
      />
      <Box sx={{ display: 'flex', gap: 1, mt: 3 }}>
        <SubmitButton variant="outlined" pending={form.formState.isSubmitting}>
          Set limit
        </SubmitButton>
        {user.customDailyLimit !== null && (
          <Button color="inherit" onClick={() => void set(null)}>
            Clear
          </Button>
        )}
      </Box>
    </Box>
  );
}
