# What this assignment grades. Sourced by run_autograder.
EXERCISE=02-hello-grid/cover-all   # SLUG/EXERCISE, as `warpbook list` prints them
ANSWER=answer.cu                   # the file that students hand in
SEED=0                             # another number gives other inputs; keep it to yourself when it should be secret
