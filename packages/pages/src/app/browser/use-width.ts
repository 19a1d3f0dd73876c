import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** The width of an element in pixels, as it changes: a picture is drawn as wide as its place is. */
export function useWidth<Of extends Element>(usual: number) {
  const element = useRef<Of>(null);
  const [width, setWidth] = useState(usual);
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
