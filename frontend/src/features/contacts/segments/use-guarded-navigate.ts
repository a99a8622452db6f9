import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router-dom';

interface Target {
  path: string;
  replace: boolean;
}

/**
 * Navigates once no dialog about unsaved input is open.
 * @param isReady false while a dialog is open
 */
export function useGuardedNavigate(isReady: boolean): (path: string, options?: { replace?: boolean }) => void {
  const navigate = useNavigate();
  const [target, setTarget] = useState<Target | null>(null);
  useEffect(() => {
    if (target && isReady) void navigate(target.path, { replace: target.replace });
  }, [target, isReady, navigate]);
  return (path, { replace = false } = {}) => setTarget({ path, replace });
}
