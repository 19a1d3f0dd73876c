import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** A hook that measures the width of an element in pixels and updates it, so that charts fit. */
export function useWidth<Of extends Element>(initial: number) {
  const element = useRef<Of>(null);
  const [width, setWidth] = useState(initial);
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) return;
    const measure = () => setWidth(Math.max(200, Math.round(current.getBoundingClientRect().width)));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return { element, width };
}
