"""Writes src/test/resources/scipy.json, which ScipyTest compares with: python3 scripts/tests/scipy_golden.py (needs scipy)."""
import numpy as np, json, itertools
from scipy import stats
import scipy
levels=np.array([0.0]+[1/np.log2(r+1) for r in range(10,0,-1)])
def data(n):
    i=np.arange(n,dtype=np.int64)
    x=((i*7919)%1009)/1009.0
    k=((i*i%10007)*31+i*17)%29
    # scores fall with x: level index depends on both
    y=levels[np.clip(10-(k*(0.3+x)/6).astype(int),0,10)]
    z=levels[np.clip(10-((k*13+5)%29*(0.3+0.5*x)/6).astype(int),0,10)]
    return x,y,z
out={"scipy":scipy.__version__,"cases":[]}
def hc3(x,y,conf=.95):
    n=len(x); d=x-x.mean(); S=(d*d).sum(); b=(d*(y-y.mean())).sum()/S
    e=y-y.mean()-b*d; h=1/n+d*d/S; se=np.sqrt((d*d*(e/(1-h))**2).sum())/S
    q=stats.t.ppf(1-(1-conf)/2,n-2); return [b,b-q*se,b+q*se,2*stats.t.sf(abs(b/se),n-2)]
def exact(x,y,coefficient):
    # the share of all orders of y at least as far from 0; scipy's permutation_test doubles one tail instead
    all_=np.abs([coefficient(x,np.array(o)) for o in itertools.permutations(y)]); own=abs(coefficient(x,y))
    return [coefficient(x,y),float((all_>=own-1e-9).mean())]
for n in (3,7,10,57,1000,92749):
    x,y,z=data(n)
    c={"n":n}
    r=stats.pearsonr(x,y); c["pearson"]=[r.statistic,r.pvalue]
    r=stats.spearmanr(x,y); c["spearman"]=[r.statistic,r.pvalue]
    r=stats.kendalltau(x,y,method="asymptotic"); c["kendall"]=[r.statistic,r.pvalue]
    if n<=9:
        c["pearson"]=exact(x,y,lambda a,b:np.corrcoef(a,b)[0,1])
        c["spearman"]=exact(stats.rankdata(x),stats.rankdata(y),lambda a,b:np.corrcoef(a,b)[0,1])
        c["kendall"]=exact(x,y,lambda a,b:stats.kendalltau(a,b).statistic)
    c["slope"]=hc3(x,y)
    r=stats.ttest_rel(y,z); ci=r.confidence_interval(.95); c["paired_t"]=[float((y-z).mean()),ci.low,ci.high,r.statistic,r.pvalue]
    r=stats.ttest_1samp(y,0); ci=r.confidence_interval(.95); c["mean_t"]=[y.mean(),ci.low,ci.high]
    h=n//3
    if h>=2:
        r=stats.ttest_ind(y[:h],z[h:],equal_var=False); ci=r.confidence_interval(.95); c["welch"]=[float(y[:h].mean()-z[h:].mean()),ci.low,ci.high,r.pvalue]
    out["cases"].append(c)
x,y,z=data(200)
r=stats.bootstrap((y,),np.mean,n_resamples=400000,method="BCa",confidence_level=.95,vectorized=True,batch=20000,random_state=1); out["bca200"]=[r.confidence_interval.low,r.confidence_interval.high]
r=stats.bootstrap((y,),np.mean,n_resamples=400000,method="percentile",vectorized=True,batch=20000,random_state=1); out["percentile200"]=[r.confidence_interval.low,r.confidence_interval.high]
r=stats.permutation_test((y[:12],z[:12]),lambda a,b:np.mean(a-b),permutation_type='samples',n_resamples=np.inf); out["randomisation12"]=float(r.pvalue)
r=stats.permutation_test((y[:57],z[:57]),lambda a,b,axis:np.mean(a-b,axis=axis),vectorized=True,permutation_type='samples',n_resamples=400000,random_state=1,batch=20000); out["randomisation57"]=float(r.pvalue)
json.dump(out,open('src/test/resources/scipy.json','w'),indent=1)
