import type { IntervalGoalRecord, RatingGoalRecord } from "../../practice-file/model.ts";
import { numbered } from "../ids.ts";
import { optionalList } from "../optional-list.ts";
import { goalDates, goalFrame, goalKey, hasData, named, newStatus } from "./frame.ts";
import { type Learner, momentsIn } from "./learner.ts";
import { intervals, type Observation, ratings } from "./observations.ts";

type Ratings = NonNullable<RatingGoalRecord["ratingInstances"]>;
type IntervalSets = NonNullable<IntervalGoalRecord["intervalSets"]>;

const HIGHEST_RATING = 5;
const SETS = 3;

/** On what the technician rates once a lesson. */
export function ratingGoal(learner: Learner, number: number): RatingGoalRecord {
  const { title, description, instructions } = learner.random.pick(ratings);
  const status = newStatus(learner);
  const instances = hasData(status) ? ratingInstances(learner, goalKey(learner, number)) : [];
  return {
    ...goalFrame(learner, number, "rating", status),
    title,
    description,
    instructions: named(learner, instructions),
    measurementType: "RATING",
    ...optionalList("ratingInstances", instances),
    ...goalDates(learner),
  };
}

/** From mostly 1 and 2 up to mostly 4 and 5 on the way. */
function ratingInstances({ random, lessons, progress }: Learner, key: string): Ratings {
  const moments = lessons.flatMap((lesson) => momentsIn(random, lesson, 1));
  return moments.map((happenedAt, index) => {
    const value = Math.round(1 + 3 * progress + random.fraction());
    return {
      publicId: numbered(`rating_${key}_`, index + 1, 3),
      value: Math.min(value, HIGHEST_RATING),
      happenedAt,
    };
  });
}

/** On what the technician watches interval by interval, one set a lesson. */
export function intervalGoal(learner: Learner, number: number): IntervalGoalRecord {
  const observation = learner.random.pick(intervals);
  const { title, description, instructions, window } = observation;
  const status = newStatus(learner);
  const key = goalKey(learner, number);
  const intervalSets = hasData(status) ? observedSets(learner, key, observation) : [];
  return {
    ...goalFrame(learner, number, "interval", status),
    title,
    description,
    instructions,
    measurementType: "INTERVAL",
    intervalDuration: observation.duration,
    intervalQuantity: observation.quantity,
    sets: SETS,
    intervalRecordingType: observation.type,
    ...(window !== undefined && { window }),
    ...optionalList("intervalSets", intervalSets),
    ...goalDates(learner),
  };
}

function observedSets(
  { random, lessons, progress }: Learner,
  key: string,
  { quantity, isWanted }: Observation,
): IntervalSets {
  const chance = isWanted ? 0.2 + 0.7 * progress : 0.8 - 0.7 * progress;
  const moments = lessons.flatMap((lesson) => momentsIn(random, lesson, 1));
  return moments.map((startedAt, index) => ({
    publicId: numbered(`interval_${key}_`, index + 1, 3),
    startedAt,
    intervals: Array.from({ length: quantity }, () => random.chance(chance)),
  }));
}
