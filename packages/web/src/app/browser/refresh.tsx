import { useEffect, useState } from 'preact/hooks';
import { MS_PER_MINUTE } from './durations.ts';

/** A hook that counts the minutes while automatic refresh is on and the page is visible. */
export function useMinutes(): { minutes: number; isOn: boolean; toggle(): void; renew(): void } {
  const [isOn, setOn] = useState(false);
  const [minutes, setMinutes] = useState(0);
  useEffect(() => {
    if (!isOn) return;
    let last = Date.now();
    const look = () => {
      if (document.hidden || Date.now() - last < MS_PER_MINUTE) return;
      last = Date.now();
      setMinutes(before => before + 1);
    };
    const timer = setInterval(look, 1000);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [isOn]);
  return {
    minutes,
    isOn,
    toggle: () => setOn(before => !before),
    renew: () => setMinutes(before => before + 1),
  };
}
