import { useEffect, useState } from "preact/hooks";
import { systemClock } from "../../../../lib/clock.ts";
import { Calm } from "../../lib/schedule/calm.ts";
import { underWay } from "../../lib/base/revision.ts";

/**
 * Keeps buttons calm while a view is shown, by finger, mouse and key. Links and scrolling work.
 *
 * @param isLoading whether the view still loads what it shows.
 */
export function useCalmButtons(isLoading: boolean): void {
  const [calm] = useState(() => new Calm());
  const isDrawn = underWay.value === 0 && !isLoading;
  useEffect(() => {
    // Not with the next rendering: the second press may come before it.
    const unsubscribe = underWay.subscribe((count) => {
      if (count > 0) calm.begin();
    });
    const ignore = (event: Event): void => {
      const isOnButton = event.target instanceof Element && event.target.closest("button") !== null;
      if (!isOnButton || !calm.ignores(systemClock.now())) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    document.addEventListener("click", ignore, true);
    return () => {
      unsubscribe();
      document.removeEventListener("click", ignore, true);
    };
  }, []);
  useEffect(() => {
    if (isDrawn) calm.drawn(systemClock.now());
  }, [isDrawn]);
}
