"""Workers for a sweep, as jobs of SLURM: prints the scheduler's address, and stays until it is stopped.

python docs/several-machines/slurm.py 20             (twenty jobs)
python docs/several-machines/slurm.py 20 --dry-run   (the script that each job would be)
"""

import sys
from threading import Event

from dask_jobqueue import SLURMCluster

if __name__ == "__main__":
    cluster = SLURMCluster()
    if "--dry-run" in sys.argv:
        print(cluster.job_script())
        sys.exit()
    cluster.scale(jobs=int(sys.argv[1]))
    print(cluster.scheduler_address, flush=True)
    Event().wait()
