import { errorMessage } from '../../../api/api-error';
import { client } from '../../../api/client';
import { useToast } from '../../../ui/toast/toast';
import { messages, type ImportChange } from './api';

/** Saves a change of an import's columns or options. @returns whether it was saved */
export function useChange(id: string) {
  const [change, { isLoading }] = client.useUpdateImportMutation();
  const toast = useToast();
  const save = async (updateImportDto: ImportChange): Promise<boolean> => {
    try {
      await change({ id, updateImportDto }).unwrap();
      return true;
    } catch (fault) {
      toast({
        title: messages.changeFailed,
        description: errorMessage(fault, messages.tryAgain),
        variant: 'destructive',
      });
      return false;
    }
  };
  return { save, isSaving: isLoading };
}
